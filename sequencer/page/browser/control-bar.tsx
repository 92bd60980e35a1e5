import { useState } from 'preact/hooks';
import type { FaultView, PageAnswer } from '../page-model.ts';

const labels: Readonly<Record<string, string>> = {
  'drop-answer': 'Drop the next answer',
  kill: 'Kill the sequencer',
  'kill-in-change': 'Kill it in the next change',
  'wipe-status': 'Wipe the status',
  fix: 'Fix all',
};

/** Buttons that break things, and what they have done. */
export function ControlBar({
  controls,
  faults,
  ask,
}: {
  readonly controls: readonly string[];
  readonly faults: readonly FaultView[];
  readonly ask: (name: string) => Promise<PageAnswer>;
}) {
  const [said, setSaid] = useState('');
  const press = (name: string) => {
    ask(`control/${name}`).then(
      (answer) => setSaid(answer.said),
      (error: Error) => setSaid(error.message),
    );
  };
  return (
    <section class="control" aria-label="Break something">
      <b>Break something</b>
      {controls.map((name) => (
        <button key={name} type="button" class={name === 'fix' ? '' : 'danger'} onClick={() => press(name)}>
          {labels[name] ?? name}
        </button>
      ))}
      <span class="said" role="status">
        {said}
        {faults.map(({ sentence, hits }) => (
          <span key={sentence} class="tag">
            {sentence}: {hits === 0 ? 'not met yet' : `met ${hits}×`}
          </span>
        ))}
      </span>
    </section>
  );
}
