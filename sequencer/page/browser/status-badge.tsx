/** Badge of a status. */

import { marks, toneOf } from './model/status-tone.ts';

/** Status with its colour and mark. */
export function StatusBadge({ status }: { readonly status: string }) {
  const tone = toneOf(status);
  return (
    <span class={`badge ${tone}`}>
      <span aria-hidden="true">{marks[tone]}</span> {status}
    </span>
  );
}
