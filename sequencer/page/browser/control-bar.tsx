/** Buttons for faults, in `sequencer dev --control`. */

import { useState } from 'preact/hooks';
import type { FaultView, PageAnswer } from '../page-model.ts';

const labels: Readonly<Record<string, string>> = {
  'drop-answer': 'Drop the next response',
  kill: 'Kill the sequencer',
  'kill-in-change': 'Kill it in the next change',
  'wipe-status': 'Wipe the status',
  fix: 'Fix all',
};

/** Buttons that inject faults, with the result of the last one. */
export function ControlBar({
  controls,
  faults,
  requestAction,
}: {
  readonly controls: readonly string[];
  readonly faults: readonly FaultView[];
  readonly requestAction: (name: string) => Promise<PageAnswer>;
}) {
  const [message, setMessage] = useState('');
  const press = (name: string) => {
    requestAction(`control/${name}`).then(
      (answer) => setMessage(answer.message),
      (error: Error) => setMessage(error.message),
    );
  };
  return (
    <section class="control" aria-label="Inject a fault">
      <b>Inject a fault</b>
      {controls.map((name) => (
        <button key={name} type="button" class={name === 'fix' ? '' : 'danger'} onClick={() => press(name)}>
          {labels[name] ?? name}
        </button>
      ))}
      <span class="message" role="status">
        {message}
        {faults.map(({ sentence, hits }) => (
          <span key={sentence} class="tag">
            {sentence}: {hits === 0 ? 'not hit yet' : `hit ${hits}×`}
          </span>
        ))}
      </span>
    </section>
  );
}
