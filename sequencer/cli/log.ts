import type { Logger } from 'pino';
import { redactedJson, SecretRegistry } from '../../sdk/index.ts';
import { authorFrames } from './author-frames.ts';

/** Where log lines go: one JSON object each, with a line end. */
export interface LogSink {
  write(line: string): void;
}

/** A line without secrets: those that are known, what looks like one, and texts whose names say that they are. */
function redactedLine(line: string, secrets: SecretRegistry): string {
  const redact = (text: string): string => secrets.redact(text);
  return `${JSON.stringify(redactedJson(JSON.parse(line), redact))}\n`;
}

/** A logger that writes JSON lines without secrets; pino is loaded with the first. */
export async function createLogger(level: string, sink: LogSink, secrets = new SecretRegistry()): Promise<Logger> {
  const { pino } = await import('pino');
  return pino({ level, base: undefined, hooks: { streamWrite: (line) => redactedLine(line, secrets) } }, sink);
}

const levels: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

const textOf = (value: unknown): string => {
  if (typeof value === 'object' && value !== null && 'message' in value) return String(value.message);
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** A log line for people: level, message, then its fields; below it where in its author's code a mistake was made. A line that is no JSON stays as it is. */
export function logText(line: string): string {
  try {
    const { level, time: _, msg, ...fields } = JSON.parse(line);
    const rest = Object.entries(fields).map(([name, value]) => `${name}=${textOf(value)}`);
    const text = [levels[level] ?? level, msg, ...rest].join(' ').trimEnd();
    return [text, ...authorFrames(fields.err)].join('\n    ');
  } catch {
    return line.trimEnd();
  }
}
