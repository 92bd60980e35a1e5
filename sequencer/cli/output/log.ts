/** Logs as JSON lines without secrets. */

import type { Logger } from 'pino';
import { messageOf, redactedJson, SecretRegistry } from '../../../sdk/index.ts';
import { authorFrames } from './author-frames.ts';
import { boundedJson } from './bounded-json.ts';
import { oneLine } from './plain-text.ts';

/** Destination of log lines: one JSON object each, with a line end. */
export interface LogSink {
  write(line: string): void;
}

/** Control and bidirectional formatting characters that JSON leaves as they are. */
const unescaped = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Characters from which on a line is bounded: less than one that is bounded may have. */
const longLine = 16_384;

/** Redacts and bounds a line: registered secrets, likely secrets, and texts with names of secrets. All control characters are escaped. */
function redactedLine(line: string, secrets: SecretRegistry): string {
  const redact = (text: string): string => secrets.redact(text);
  const value: unknown = JSON.parse(line);
  const json = JSON.stringify(redactedJson(line.length > longLine ? boundedJson(value, redact) : value, redact));
  return `${json.replace(unescaped, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}

/** Levels with complete stacks. */
const detailed: ReadonlySet<string> = new Set(['debug', 'trace']);

/** Returns a logged error with only those stack lines that are in the author's code; likewise for nested errors. */
function withoutStack({ stack, ...members }: Readonly<Record<string, unknown>>): object {
  const frames = authorFrames({ ...members, stack });
  return { ...eachWithoutStack(members), ...(frames.length > 0 && { stack: frames.join('\n') }) };
}

const isLogged = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && 'stack' in value;

const eachWithoutStack = (members: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => {
      const one = Array.isArray(value) ? value.map((item) => (isLogged(item) ? withoutStack(item) : item)) : value;
      return [name, isLogged(one) ? withoutStack(one) : one];
    }),
  );

/** Creates a logger that writes redacted JSON lines, with stacks at level `debug` only; pino is loaded on first use. */
export async function createLogger(level: string, sink: LogSink, secrets = new SecretRegistry()): Promise<Logger> {
  const { pino, stdSerializers } = await import('pino');
  // The class name differs in bundled code, so the name of the error is used.
  const read = (error: Error) => {
    const fields = stdSerializers.err(error);
    if (!(error instanceof Error)) return fields;
    const named = { ...fields, type: error.name };
    return detailed.has(level) ? named : withoutStack({ ...named });
  };
  const err = (error: Error) => {
    try {
      return read(error);
    } catch {
      return { type: 'Error', message: messageOf(error) }; // a member of it throws
    }
  };
  return pino(
    { level, base: undefined, serializers: { err }, hooks: { streamWrite: (line) => redactedLine(line, secrets) } },
    sink,
  );
}

/** Returns a sink that writes lines in the chosen format: `json` as they are, `text` for people. */
export const sinkOf = (format: string, sink: LogSink): LogSink =>
  format === 'text' ? { write: (line) => sink.write(`${logText(line)}\n`) } : sink;

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

/**
 * Formats a log line for people: level, message, then its fields, all on one line without control characters, since third parties and tenants write
 * texts in it; below it the stack lines in the author's code. A line that is not JSON is returned unchanged.
 */
export function logText(line: string): string {
  try {
    const { level, time: _, msg, ...fields } = JSON.parse(line);
    const rest = Object.entries(fields).map(([name, value]) => `${name}=${textOf(value)}`);
    const text = [levels[level] ?? level, msg, ...rest].join(' ').trimEnd();
    return [text, ...authorFrames(fields.err)].map(oneLine).join('\n    ');
  } catch {
    return line.trimEnd();
  }
}
