const PATHS = {
  check: <path d="M4.5 12.5l5 5 10-11" />,
  clock: <path d="M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17M12 7v5l3.5 2" />,
  copy: <path d="M8 8h12v12H8zM16 8V4H4v12h4" />,
  down: <path d="M12 4v15M6 13l6 6 6-6" />,
  end: <path d="M10 4H5v16h5M15 8l4 4-4 4M19 12H9" />,
  file: <path d="M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6" />,
  info: <path d="M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18M12 11v5.5M12 7.6v.1" />,
  keyboard: (
    <>
      <rect x="2.5" y="6" width="19" height="12" rx="2" />
      <path d="M6 10h.01M10 10h.01M14 10h.01M18 10h.01M8 14h8" />
    </>
  ),
  mic: <path d="M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3M5 11a7 7 0 0 0 14 0M12 18v3" />,
  'mic-off': (
    <path d="M9 9v2a3 3 0 0 0 4.5 2.6M15 11V6a3 3 0 0 0-5.7-1.3M5 11a7 7 0 0 0 10.6 6M19 11a7 7 0 0 1-.6 2.8M12 18v3M4 3l16 18" />
  ),
  pause: <path d="M8 5v14M16 5v14" />,
  play: <path d="M7 4l13 8-13 8z" />,
  repeat: <path d="M4 12a8 8 0 1 1 2.6 5.9M4 12l-2-2.5M4 12l2.6-2" />,
  rephrase: <path d="M4 5h16v10h-8l-5 4v-4H4zM8 9h8M8 12h5" />,
  skip: <path d="M5 5l9 7-9 7zM18 5v14" />,
  sound: <path d="M4 9h4l5-4v14l-5-4H4zM16.5 9a4.5 4.5 0 0 1 0 6M19 6.5a8 8 0 0 1 0 11" />,
  up: <path d="M12 20V5M6 11l6-6 6 6" />,
  off: <path d="M2 8.5a15 15 0 0 1 20 0M5.5 12.5a10 10 0 0 1 13 0M9 16.2a5 5 0 0 1 6 0M12 20v.1M4 3l16 18" />,
  person: (
    <>
      <circle cx="12" cy="8" r="4" />
      <path d="M4.5 21a7.5 7.5 0 0 1 15 0" />
    </>
  ),
  warn: <path d="M12 3.5L22 20H2zM12 10v4.5M12 17.2v.1" />,
};

export type IconName = keyof typeof PATHS;

/** A picture beside a word; never alone. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="i" viewBox="0 0 24 24" aria-hidden="true">
      {PATHS[name]}
    </svg>
  );
}
