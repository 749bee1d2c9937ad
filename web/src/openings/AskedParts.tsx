import type { ReactNode } from 'react';
import type { Estimate } from '../api/contract';
import { t } from '../texts';

interface AskedPartsProps {
  asked: Estimate['asked'];
  /** What stands in the place of one's own questions. */
  own?: ReactNode;
}

/** All that an interview asks, part by part, in its order. */
export function AskedParts({ asked, own }: AskedPartsProps) {
  return (
    <>
      {asked.map((part, index) =>
        part.own ? (
          own && (
            <section key={`${index}-own`}>
              <h3>{part.title}</h3>
              {own}
            </section>
          )
        ) : (
          <section key={`${index}-${part.title}`}>
            <h3>{part.title}</h3>
            <ol className="numbered">
              {part.questions.map((question) => (
                <li key={question}>{question}</li>
              ))}
            </ol>
            <p className="small soft">{t('opening.askedMost', { count: part.questions_max })}</p>
          </section>
        ),
      )}
    </>
  );
}
