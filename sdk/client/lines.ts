const newline = 0x0a;

/** Cuts a byte stream into lines; every byte is looked at once and copied at most once. */
export interface LineCutter {
  /** The lines that this chunk ends, without their newline. */
  cut(chunk: Buffer): readonly Buffer[];
  /** Whether bytes of an unfinished line are held. */
  readonly pending: boolean;
}

/** Starts with an empty line. */
export function createLineCutter(): LineCutter {
  let held: Buffer[] = [];
  const finish = (end: Buffer): Buffer => {
    if (held.length === 0) return end;
    const line = Buffer.concat([...held, end]);
    held = [];
    return line;
  };
  return {
    cut(chunk) {
      const lines: Buffer[] = [];
      let from = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
        lines.push(finish(chunk.subarray(from, at)));
        from = at + 1;
      }
      if (from < chunk.length) held.push(chunk.subarray(from));
      return lines;
    },
    get pending() {
      return held.length > 0;
    },
  };
}
