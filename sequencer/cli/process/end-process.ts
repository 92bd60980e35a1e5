/** Ends a process whose command has ended. */

/** Process to end: `process`, or a stand-in. */
export interface EndingProcess {
  readonly stdout: { readonly writableLength: number };
  readonly stderr: { readonly writableLength: number; write(text: string): unknown };
  getActiveResourcesInfo(): string[];
  exit(): void;
}

/** ms in which connections that are being closed may come to their end. */
const grace = 1000;

/** Resources that are no mistake of a plug-in: standard streams, and connections that are kept for further requests. */
const usual = ['PipeWrap', 'TTYWrap', 'TCPSocketWrap', 'TLSWrap'];

/**
 * Ends the process within seconds of its command's end, also where a config or a plug-in holds a timer or a connection open: as process 1 of a
 * container, nothing but SIGKILL would end it, and no replica would be started in its place. Says on stderr what was open. A process that nothing
 * holds ends by itself, at once.
 */
export function endProcess(
  ending: EndingProcess = process,
  later: (look: () => void) => void = (look) => void setTimeout(look, grace).unref(),
): void {
  later(() => {
    if (ending.stdout.writableLength + ending.stderr.writableLength > 0) return endProcess(ending, later);
    const open = [...new Set(ending.getActiveResourcesInfo().filter((type) => !usual.includes(type)))];
    if (open.length > 0)
      ending.stderr.write(`note: ended, though the config or a plug-in of it held the process: ${open.join(', ')}\n`);
    ending.exit();
  });
}
