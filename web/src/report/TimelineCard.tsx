import { recordingOf } from '../api/client';
import type { EventKind, Timeline } from '../api/contract';
import { t } from '../texts';
import { ofServer } from '../texts/server';
import { Icon } from '../ui/Icon';
import { clockOf } from '../ui/time';
import { blocksOf, describe, EVENT_WORDS, PICTURE, spokenTimeOf, stretchesOf, ticksOf, whatAt, xOf } from './timeline';
import { type Player, SPEEDS } from './usePlayer';

interface TimelineCardProps {
  id: string;
  /** Nothing until there is a report. */
  timeline: Timeline | undefined;
  player: Player;
  hasRecording: boolean;
  sides: string;
}

/** The player, and who spoke when: one picture with one playhead, and the same as a table. */
export function TimelineCard({ id, timeline, player, hasRecording, sides }: TimelineCardProps) {
  if (!hasRecording && !timeline) return null;
  return (
    <section className="card" aria-labelledby="time-h">
      <h2 id="time-h" tabIndex={-1}>
        {hasRecording ? t('timeline.heading') : t('timeline.headingSilent')}
      </h2>
      {!hasRecording && <p className="soft">{t('timeline.notRecorded')}</p>}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms. */}
      <div role="group" aria-label={t('timeline.player')} onKeyDown={player.onKeyDown}>
        {hasRecording && <Controls id={id} player={player} sides={sides} />}
        {timeline && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, which needs the keyboard too.
          <section className="scroll" tabIndex={0} aria-label={t('timeline.scrolls')}>
            <div className="tlw">
              <Picture timeline={timeline} at_ms={player.at_ms} />
              {hasRecording && (
                <input
                  className="seek"
                  type="range"
                  min={0}
                  max={Math.ceil(timeline.duration_ms / 1000)}
                  step={5}
                  value={Math.round(player.at_ms / 1000)}
                  aria-label={t('timeline.position')}
                  aria-valuetext={[spokenTimeOf(player.at_ms), whatAt(timeline, player.at_ms)].join(', ')}
                  onChange={({ target }) => player.seek(Number(target.value) * 1000)}
                />
              )}
            </div>
          </section>
        )}
        {!timeline && hasRecording && (
          <input
            type="range"
            min={0}
            max={Math.ceil(player.duration_ms / 1000)}
            step={5}
            value={Math.round(player.at_ms / 1000)}
            aria-label={t('timeline.position')}
            aria-valuetext={spokenTimeOf(player.at_ms)}
            onChange={({ target }) => player.seek(Number(target.value) * 1000)}
          />
        )}
      </div>
      {timeline && (
        <>
          <Legend timeline={timeline} />
          <Events timeline={timeline} hear={player.hear} />
        </>
      )}
    </section>
  );
}

function Controls({ id, player, sides }: { id: string; player: Player; sides: string }) {
  return (
    <>
      {player.trouble && <p className="status warn">{t('timeline.noSound')}</p>}
      <div className="player">
        <audio ref={player.audio} preload="metadata" src={recordingOf(id)} {...player.events} />
        <button
          type="button"
          className="btn primary play-main"
          onClick={player.toggle}
          aria-keyshortcuts="Space"
          aria-label={player.isPlaying ? t('timeline.stop') : t('timeline.play')}
        >
          <Icon name={player.isPlaying ? 'pause' : 'play'} />
        </button>
        <span className="num">
          {t('timeline.of', { at: clockOf(player.at_ms), length: clockOf(player.duration_ms) })}
        </span>
        <label className="small row">
          {t('timeline.speed')}{' '}
          <select value={player.speed} onChange={({ target }) => player.choose(Number(target.value))}>
            {SPEEDS.map((speed) => (
              <option key={speed} value={speed}>
                {t('timeline.times', { speed })}
              </option>
            ))}
          </select>
        </label>
        <label className="small row check">
          <input
            type="checkbox"
            checked={player.follows}
            onChange={({ target }) => player.setFollows(target.checked)}
          />
          {t('timeline.follows')}
        </label>
      </div>
      <p className="small soft keyhint">{t('timeline.keys')}</p>
      <p className="small soft">{sides}</p>
    </>
  );
}

/** Shapes tell the events apart, not colours. */
function Mark({ kind, x }: { kind: EventKind; x: number }) {
  switch (kind) {
    case 'handoff':
      return (
        <>
          <path className="ho" d={`M${x} 4v136`} />
          <path className="flag" d={`M${x} 128h12l-4 5 4 5h-12z`} />
        </>
      );
    case 'barge_in':
      return <path className="ev" d={`M${x} 130l6 10h-12z`} />;
    case 'nudge':
      return <path className="ev o" d={`M${x} 129l6 6-6 6-6-6z`} />;
    case 'pause':
      return <path className="ev" d={`M${x - 4} 129v11M${x + 2} 129v11`} strokeWidth="3" />;
    case 'line_cut':
      return <path className="ev cutx" d={`M${x - 5} 129l10 11M${x + 5} 129l-10 11`} />;
    case 'repeat':
      return <circle className="ev o" cx={x} cy="135" r="5" />;
    case 'skip':
      return <rect className="ev o" x={x - 5} y="130" width="10" height="10" />;
  }
}

const SIGNS: Record<EventKind, string> = {
  barge_in: '▲',
  nudge: '◇',
  handoff: '⚑',
  pause: '‖',
  line_cut: '✕',
  repeat: '○',
  skip: '□',
};

function Picture({ timeline, at_ms }: { timeline: Timeline; at_ms: number }) {
  const { duration_ms, events } = timeline;
  const head = xOf(at_ms, duration_ms);
  return (
    <svg
      className="tl"
      viewBox={`0 0 ${PICTURE.width} ${PICTURE.height}`}
      role="img"
      aria-labelledby="tl-t"
      aria-describedby="tl-d"
    >
      <title id="tl-t">{t('timeline.picture')}</title>
      <desc id="tl-d">{describe(timeline)}</desc>
      <text className="lane" x="0" y="21.5">
        {t('timeline.stages')}
      </text>
      <text className="lane" x="0" y="65">
        {t('timeline.interviewer')}
      </text>
      <text className="lane" x="0" y="107">
        {t('timeline.candidate')}
      </text>
      <text className="lane" x="0" y="140">
        {t('timeline.events')}
      </text>
      <path className="base" d={`M${PICTURE.left} 61H${PICTURE.right}M${PICTURE.left} 103H${PICTURE.right}`} />
      {blocksOf(timeline).map(({ x, width, label, title }, index) => (
        <g key={`${index}-${title}`}>
          <title>{title}</title>
          <rect
            x={x}
            y="6"
            width={width}
            height="22"
            rx="3"
            fill={index % 2 === 0 ? 'var(--sunken)' : 'var(--accent-tint)'}
          />
          {label && (
            <text x={x + 7} y="21.5">
              {label}
            </text>
          )}
        </g>
      ))}
      {stretchesOf(timeline, 'interviewer').map(({ x, width }) => (
        <rect className="iv" key={x} x={x} y="46" width={width} height="30" rx="1.5" />
      ))}
      {stretchesOf(timeline, 'candidate').map(({ x, width }) => (
        <rect className="cd" key={x} x={x} y="88" width={width} height="30" rx="1.5" />
      ))}
      {events.map(({ at_ms, kind, text }, index) => (
        <g key={`${index}-${at_ms}`}>
          <title>
            {t('timeline.eventAt', { what: text ? ofServer(text) : EVENT_WORDS[kind], time: clockOf(at_ms) })}
          </title>
          <Mark kind={kind} x={xOf(at_ms, duration_ms)} />
        </g>
      ))}
      {ticksOf(duration_ms).map((ms) => (
        <g key={ms}>
          <path className="tick" d={`M${xOf(ms, duration_ms)} 148v5`} />
          <text className="ax" x={xOf(ms, duration_ms)} y="166">
            {clockOf(ms)}
          </text>
        </g>
      ))}
      <path className="head" d={`M${head} 2v148`} />
      <circle className="headk" cx={head} cy="4" r="4" />
    </svg>
  );
}

function Legend({ timeline }: { timeline: Timeline }) {
  const kinds = (Object.keys(SIGNS) as EventKind[]).filter((kind) =>
    timeline.events.some((event) => event.kind === kind),
  );
  return (
    <p className="keyrow small">
      <span className="key" style={{ '--c': 'var(--voice-interviewer)' }}>
        {t('timeline.interviewer')}
      </span>
      <span className="key" style={{ '--c': 'var(--voice-candidate)' }}>
        {t('timeline.candidate')}
      </span>
      {kinds.map((kind) => (
        <span key={kind}>
          <b aria-hidden="true">{SIGNS[kind]}</b> {EVENT_WORDS[kind]}
        </span>
      ))}
    </p>
  );
}

function Events({ timeline, hear }: { timeline: Timeline; hear: (ms: number) => void }) {
  if (timeline.events.length === 0) return <p className="small soft">{t('timeline.noEvents')}</p>;
  return (
    <details>
      <summary>{t('timeline.asTable')}</summary>
      <div className="table">
        <table>
          <caption className="sr">{t('timeline.tableCaption')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('timeline.when')}</th>
              <th scope="col">{t('timeline.event')}</th>
              <th scope="col">{t('timeline.more')}</th>
            </tr>
          </thead>
          <tbody>
            {timeline.events.map(({ at_ms, kind, text }, index) => (
              <tr key={`${index}-${at_ms}`}>
                <th scope="row" className="num">
                  <button type="button" className="btn plain dense" onClick={() => hear(at_ms)}>
                    {clockOf(at_ms)}
                  </button>
                </th>
                <td>{EVENT_WORDS[kind]}</td>
                <td>{ofServer(text)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
