/** Registry of the secrets that are redacted from the output of a process. */

import { mask, redact } from './redact.ts';
import { encodingsOf } from './secret-encodings.ts';

/** Length below which values are not registered: they would match everywhere. */
const minLength = 6;

/** Length of the parts in which a long value is searched for, in characters. */
const maxLength = 4096;

/** Limit of the parts of one value: 64 KiB. */
const maxParts = 16;

/** Limit of the registered values; the oldest are evicted first. */
const maxValues = 1000;

/** Splits a value into the parts to search for; a short last part is joined to the previous one. */
function partsOf(value: string): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; at < value.length; at += maxLength)
    parts.push(value.slice(at, value.length - at - maxLength < minLength ? value.length : at + maxLength));
  return parts.filter((part) => part.length >= minLength).slice(0, maxParts);
}

/** Registry of the secrets that a process redacts from its output. In memory only. */
export class SecretRegistry {
  readonly #parent: SecretRegistry | undefined;
  readonly #forms = new Map<string, readonly string[]>();
  /** Encodings of all values by their first `minLength` characters, longest first; undefined until the first search after an addition. */
  #index: ReadonlyMap<string, readonly string[]> | undefined;

  /** @param parent registry whose values are redacted, too; values are not added to it */
  constructor(parent?: SecretRegistry) {
    this.#parent = parent;
  }

  /** Registers values; those of fewer than 6 characters are ignored. Beyond 1000, the oldest are evicted. */
  add(...values: readonly string[]): void {
    for (const part of values.flatMap(partsOf)) {
      if (this.#forms.has(part)) continue;
      this.#forms.set(part, [...encodingsOf(part).keys()]);
      if (this.#forms.size > maxValues) this.#forms.delete(this.#forms.keys().next().value ?? '');
      this.#index = undefined;
    }
  }

  /** Redacts the registered values in a text, plain or in one of their encodings, and what {@link redact} recognises. */
  redact(text: string): string {
    const parts: string[] = [];
    let done = 0;
    for (let at = 0; this.#forms.size > 0 && at <= text.length - minLength; at += 1) {
      const length = this.#matchLength(text, at);
      if (length === 0) continue;
      parts.push(text.slice(done, at), mask);
      done = at + length;
      at = done - 1;
    }
    const redacted = parts.join('') + text.slice(done);
    return this.#parent === undefined ? redact(redacted) : this.#parent.redact(redacted);
  }

  /** Reports whether a text contains a registered value, plain or in one of its encodings. */
  isIn(text: string): boolean {
    for (let at = 0; this.#forms.size > 0 && at <= text.length - minLength; at += 1)
      if (this.#matchLength(text, at) > 0) return true;
    return this.#parent?.isIn(text) ?? false;
  }

  /** Returns the length of the longest encoding at this position, also of one cut off by the end of the text or by `…`; 0 without one. */
  #matchLength(text: string, at: number): number {
    this.#index ??= this.#buildIndex();
    const forms = this.#index.get(text.slice(at, at + minLength));
    if (forms === undefined) return 0;
    const whole = forms.find((form) => text.startsWith(form, at));
    if (whole !== undefined) return whole.length;
    const rest = text.slice(at, at + forms[0]!.length);
    const end = rest.indexOf('…');
    const shown = end === -1 ? rest : rest.slice(0, end);
    return forms.some((form) => form.startsWith(shown)) ? shown.length : 0;
  }

  #buildIndex(): ReadonlyMap<string, readonly string[]> {
    const all = [...new Set([...this.#forms.values()].flat())].sort((a, b) => b.length - a.length);
    return Map.groupBy(all, (form) => form.slice(0, minLength));
  }
}
