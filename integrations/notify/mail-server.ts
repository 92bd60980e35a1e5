/** Messages to a mail server, by the package `nodemailer`. */

import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { type Clock, DefiniteError, ThrottledError, withDeadline } from '../../sdk/index.ts';
import { shortLine } from '../quoted-text.ts';
import { vendorLibrary } from '../vendor-library.ts';

/** Mail to one or more recipients. */
export interface Mail {
  readonly from: MailAddress;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** With its angle brackets. */
  readonly messageId: string;
}

/** Address with the name that is shown. */
export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

/** Mail that the server has taken. */
export interface TakenMail {
  /** Recipients that it has refused, though it has taken others. */
  readonly refused: readonly string[];
}

/** Operations on a mail server. */
export interface MailServer {
  /**
   * Sends a mail once. @throws DefiniteError when the server refuses it, ThrottledError when it asks to come again later, another Error when it is not
   * known whether it has taken it
   */
  send(mail: Mail, signal: AbortSignal): Promise<TakenMail>;
}

/** Address of a mail server, and the credential there. */
export interface MailServerAddress {
  readonly host: string;
  /** @default 465 with security `tls`, 587 with `starttls`, 25 with `none` */
  readonly port?: number;
  /** `tls`: from the start; `starttls`: asked for, and nothing is sent without it; `none`: never. @default 'starttls' */
  readonly security?: 'tls' | 'starttls' | 'none';
  readonly user?: string;
  readonly password?: string;
  /** Certificates to trust instead of the system's, as PEM. @default those of the system */
  readonly ca?: string;
}

/** Address and bounds of a mail server. */
export interface MailServerOptions {
  readonly server: MailServerAddress;
  /** ms for a mail, from the connection to the answer. */
  readonly deadline: number;
  readonly clock: Clock;
}

const entryPoint = 'integrations/notify/smtp';
const connections = () => vendorLibrary('nodemailer', entryPoint, async () => import('nodemailer/lib/smtp-connection'));
const composers = () => vendorLibrary('nodemailer', entryPoint, async () => import('nodemailer/lib/mail-composer'));

/** Longest answer of a server, in bytes. */
const maxAnswerLength = 65_536;

/** Builds the text of a mail. Nothing in it is read from files or addresses. */
async function contentOf({ from, to, subject, text, messageId }: Mail, date: Date): Promise<Buffer> {
  const { default: MailComposer } = await composers();
  const headers = { 'Auto-Submitted': 'auto-generated' };
  const safe = { disableFileAccess: true, disableUrlAccess: true };
  const mail = new MailComposer({ ...safe, from, to: [...to], subject, text, messageId, date, headers });
  return mail.compile().build();
}

/** Returns a stream of one piece that reports when it is first read: the server has asked for the mail by then. */
function observedStream(content: Buffer, onRead: () => void): Readable {
  return Readable.from(
    (function* () {
      onRead();
      yield content;
    })(),
    { objectMode: false },
  );
}

/**
 * Returns the error to throw for a mail that was not taken.
 * @param isSent whether the mail was on its way when it happened
 */
export function mailErrorOf(error: unknown, isSent: boolean): Error {
  const { message, responseCode: code, command } = error as Error & { responseCode?: number; command?: string };
  const text = `SMTP: ${shortLine(message)}`;
  const isAnswer = typeof code === 'number' && code >= 400 && code < 600;
  if (isSent && !(isAnswer && command === 'DATA')) return new Error(text, { cause: error });
  if (isAnswer && code < 500) return new ThrottledError(text, undefined, { cause: error });
  return new DefiniteError(text, { cause: error });
}

const ports = { tls: 465, starttls: 587, none: 25 } as const;

/** Returns the port of a server. */
export const mailPortOf = ({ security = 'starttls', port = ports[security] }: MailServerAddress): number => port;

/** Opens a connection, and shows the credential there. */
function open(connection: SMTPConnection, { user, password }: MailServerAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error | null): void => (error ? reject(error) : resolve());
    connection.connect((error) => {
      if (error || user === undefined) return settle(error);
      connection.login({ user, pass: password, credentials: { user, pass: password } }, settle);
    });
  });
}

/** Creates a client. Each mail has a connection of its own, which ends with it or with its signal, and is sent once. */
export function mailServerAt({ server, deadline, clock }: MailServerOptions): MailServer {
  const { host, security = 'starttls', ca } = server;
  const port = mailPortOf(server);
  const sendOn = async (connection: SMTPConnection, mail: Mail, signal: AbortSignal): Promise<TakenMail> => {
    let isSent = false;
    const broken = new Promise<never>((_, reject) => {
      connection.once('error', reject);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      if (signal.aborted) reject(signal.reason);
    });
    const take = async (): Promise<TakenMail> => {
      const content = await contentOf(mail, new Date(clock.now()));
      await open(connection, server);
      const stream = observedStream(content, () => {
        isSent = true;
      });
      const envelope = { from: mail.from.address, to: [...mail.to], size: content.length };
      return new Promise((resolve, reject) => {
        connection.send(envelope, stream, (error, info) =>
          error ? reject(error) : resolve({ refused: info?.rejected ?? [] }),
        );
      });
    };
    try {
      return await Promise.race([take(), broken]);
    } catch (error) {
      throw mailErrorOf(error, isSent);
    } finally {
      connection.on('error', () => undefined); // of a connection that is given up
      connection.close();
    }
  };
  return {
    async send(mail, signal) {
      const { default: Connection } = await connections();
      const connection = new Connection({
        host,
        port,
        secure: security === 'tls',
        requireTLS: security === 'starttls',
        ignoreTLS: security === 'none',
        ...(ca !== undefined && { tls: { ca } }),
        connectionTimeout: deadline,
        greetingTimeout: deadline,
        socketTimeout: deadline,
        dnsTimeout: deadline,
        maxResponseSize: maxAnswerLength,
      });
      return withDeadline({ clock, deadline, signal }, (until) => sendOn(connection, mail, until));
    },
  };
}
