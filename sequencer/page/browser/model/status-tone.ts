/** Colour groups of statuses and phases. */

/** `good`: settled; `busy`: in progress; `idle`: not started, or ended; `bad`: failed; `doubt`: waiting for a person or a timeout. */
export type Tone = 'good' | 'busy' | 'idle' | 'bad' | 'doubt';

const tones: Readonly<Record<string, Tone>> = {
  Completed: 'good',
  Healthy: 'good',
  True: 'good',
  Initialized: 'idle',
  Waiting: 'idle',
  False: 'idle',
  Terminated: 'idle',
  New: 'idle',
  Error: 'bad',
  'Not Healthy': 'bad',
  Unknown: 'doubt',
};

/** Returns the tone of a status or phase; an unlisted one is under way. */
export const toneOf = (status: string): Tone => (Object.hasOwn(tones, status) ? tones[status]! : 'busy');

/** Marks that distinguish the tones without colours. */
export const marks: Readonly<Record<Tone, string>> = { good: '✓', busy: '◐', idle: '○', bad: '✕', doubt: '?' };
