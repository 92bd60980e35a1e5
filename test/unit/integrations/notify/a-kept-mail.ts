/** Headers and text of a mail as a server keeps it. */

import type { KeptMail } from '../../../system/real/smtp.ts';

/** Mail taken apart. */
export interface ReadMail {
  /** Headers in lower case, unfolded. */
  readonly headers: Readonly<Record<string, string>>;
  /** All lines of the headers, unfolded. */
  readonly lines: readonly string[];
  readonly text: string;
}

const unquoted = (text: string): string =>
  Buffer.from(
    text
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

/** Takes a mail apart. */
export function readKept({ content }: KeptMail): ReadMail {
  const [head = '', ...rest] = content.split('\r\n\r\n');
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  const body = rest.join('\r\n\r\n').trimEnd();
  const isQuoted = headers['content-transfer-encoding'] === 'quoted-printable';
  const isFlowed = /format=flowed/.test(headers['content-type'] ?? '');
  const plain = isQuoted ? unquoted(body) : body;
  return { headers, lines, text: isFlowed ? plain.replaceAll(/ \r\n/g, ' ') : plain };
}
