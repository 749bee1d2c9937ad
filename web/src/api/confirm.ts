let ask: () => Promise<boolean> = async () => false;

/** Who asks somebody to show again who they are: the promise says whether they did. */
export function onConfirm(asker: () => Promise<boolean>) {
  ask = asker;
}

let asking: Promise<boolean> | undefined;

/** Asks once, however many requests wait for it. */
export function confirmed(): Promise<boolean> {
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
}
