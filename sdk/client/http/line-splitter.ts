/** Lines of a byte stream. */

const newline = 0x0a;

/** Splits a byte stream into lines; each byte is scanned once and copied at most once. */
export interface LineSplitter {
  /** Returns the lines that this chunk completes, without their newlines. */
  split(chunk: Buffer): readonly Buffer[];
  /** Number of buffered bytes of an unfinished line. */
  readonly pending: number;
}

/** Creates a line splitter with an empty buffer. */
export function createLineSplitter(): LineSplitter {
  let buffered: Buffer[] = [];
  let pending = 0;
  const finish = (end: Buffer): Buffer => {
    if (buffered.length === 0) return end;
    const line = Buffer.concat([...buffered, end]);
    buffered = [];
    pending = 0;
    return line;
  };
  return {
    split(chunk) {
      const lines: Buffer[] = [];
      let from = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
        lines.push(finish(chunk.subarray(from, at)));
        from = at + 1;
      }
      if (from < chunk.length) buffered.push(chunk.subarray(from));
      pending += chunk.length - from;
      return lines;
    },
    get pending() {
      return pending;
    },
  };
}
