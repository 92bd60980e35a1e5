/** End of a process after its command. */

/** Process to end: `process`, or a test double. */
export interface EndingProcess {
  readonly stdout: { readonly writableLength: number };
  readonly stderr: { readonly writableLength: number; write(text: string): unknown };
  getActiveResourcesInfo(): string[];
  exit(): void;
}

/** Grace period in ms of connections that are being closed. */
const grace = 1000;

/** Resources that do not indicate a leak of a plug-in: standard streams, and keep-alive connections. */
const expectedResources = ['PipeWrap', 'TTYWrap', 'TCPSocketWrap', 'TLSWrap'];

/**
 * Ends the process within seconds after its command, even if a config or plug-in keeps a timer or connection open: as pid 1 of a container only
 * SIGKILL would end it, and no replacement would be started. Open resources are printed to stderr. A process without any ends immediately.
 */
export function endProcess(
  ending: EndingProcess = process,
  later: (look: () => void) => void = (look) => void setTimeout(look, grace).unref(),
): void {
  later(() => {
    if (ending.stdout.writableLength + ending.stderr.writableLength > 0) return endProcess(ending, later);
    const open = [...new Set(ending.getActiveResourcesInfo().filter((type) => !expectedResources.includes(type)))];
    if (open.length > 0)
      ending.stderr.write(
        `note: exited, although the config or a plug-in still has open resources: ${open.join(', ')}\n`,
      );
    ending.exit();
  });
}
