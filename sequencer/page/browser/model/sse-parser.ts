/** Parses a stream of server-sent events. */

/** Message of a stream. */
export interface SseMessage {
  readonly event: string;
  readonly data: string;
}

/** Longest message that is accepted, in characters. */
const maxLength = 16_000_000;

/** Incremental parser of server-sent events; a message is returned after its blank line. */
export class SseParser {
  #rest = '';

  /** @throws RangeError for a message without an end */
  feed(text: string): readonly SseMessage[] {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    if (this.#rest.length > maxLength) throw new RangeError('a message of the server has no end');
    return blocks.map((block) => {
      const lines = block.split('\n').map((line) => /^(event|data): ?(.*)$/.exec(line));
      const of = (name: string) => lines.flatMap((line) => (line?.[1] === name ? [line[2] ?? ''] : []));
      return { event: of('event')[0] ?? 'message', data: of('data').join('\n') };
    });
  }
}
