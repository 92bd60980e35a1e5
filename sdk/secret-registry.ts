import { mask, redact } from './redact.ts';

/** Shorter values are not recognised: they would be found everywhere. */
const shortest = 6;

/** The most of a value that is looked for, in characters. */
const longest = 4096;

/** How many values are remembered; the oldest are forgotten first. */
const mostValues = 1000;

/** What of a value's base64 is the same wherever in a longer text it was encoded: it may begin at any of three offsets. */
const base64Of = (value: string): readonly string[] =>
  [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]);
    const stable = bytes.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
    return [stable, stable.replaceAll('+', '-').replaceAll('/', '_')];
  });

/** The forms in which a value turns up in texts. */
const formsOf = (value: string): readonly string[] =>
  [value, encodeURIComponent(value.toWellFormed()), JSON.stringify(value).slice(1, -1), ...base64Of(value)].filter(
    (form) => form.length >= shortest,
  );

/** The secrets that a process knows, to be kept out of what it writes down. In memory only. */
export class SecretRegistry {
  readonly #forms = new Map<string, readonly string[]>();
  /** All forms, the longest first, by their first characters. */
  #index: ReadonlyMap<string, readonly string[]> = new Map();

  /** Remembers values; those of fewer than 6 characters are left out. The oldest of more than 1000 are forgotten. */
  add(...values: readonly string[]): void {
    for (const value of values) {
      const known = value.slice(0, longest);
      if (known.length < shortest || this.#forms.has(known)) continue;
      this.#forms.set(known, formsOf(known));
      if (this.#forms.size > mostValues) this.#forms.delete(this.#forms.keys().next().value ?? '');
      const all = [...new Set([...this.#forms.values()].flat())].sort((a, b) => b.length - a.length);
      this.#index = Map.groupBy(all, (form) => form.slice(0, shortest));
    }
  }

  /** The text without the values that are known, plain, in base64 or percent-encoded, and without what {@link redact} recognises. */
  redact(text: string): string {
    const parts: string[] = [];
    let done = 0;
    for (let at = 0; this.#index.size > 0 && at <= text.length - shortest; at += 1) {
      const length = this.#at(text, at);
      if (length === 0) continue;
      parts.push(text.slice(done, at), mask);
      done = at + length;
      at = done - 1;
    }
    return redact(parts.join('') + text.slice(done));
  }

  /** Whether a text holds one of the values, plain, in base64 or percent-encoded. */
  isIn(text: string): boolean {
    for (let at = 0; this.#index.size > 0 && at <= text.length - shortest; at += 1)
      if (this.#at(text, at) > 0) return true;
    return false;
  }

  /** The length of the longest form that begins at this place, if only as far as a text that was cut goes; 0 when none does. */
  #at(text: string, at: number): number {
    const forms = this.#index.get(text.slice(at, at + shortest));
    const found = forms?.find((form) => text.startsWith(form, at) || form.startsWith(text.slice(at)));
    return Math.min(found?.length ?? 0, text.length - at);
  }
}
