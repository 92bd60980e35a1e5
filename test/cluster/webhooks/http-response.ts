/** Checks HTTP answers of webhooks as client-go does. */

import { isFields } from '../apimachinery/object.ts';

/** Texts of client-go by status code. */
const texts: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

/** Status codes whose message is the body. */
const codesWithBodyMessage = [403, 406, 415];

/** HTTP answer. */
export interface HttpAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Returns the message of a Status in the body, if any. */
function statusIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isStatus = isFields(value) && value.kind === 'Status' && value.status !== 'Success';
    return isStatus && typeof value.message === 'string' ? value.message : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the error of an HTTP answer; undefined for a success. */
function refusalIn({ status, type, text }: HttpAnswer): string | undefined {
  if (status >= 200 && status <= 206) return undefined;
  const said = statusIn(text);
  if (said !== undefined) return said;
  const own = type.startsWith('text/') ? text.trim() : 'unknown';
  if (codesWithBodyMessage.includes(status)) return own;
  if (texts[status] !== undefined) return texts[status];
  if (status >= 500) return `an error on the server (${JSON.stringify(own)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${status} but did not return more information`;
}

/** Throws an Error in the server's words for an answer without a review. */
export function checkAnswer(answer: HttpAnswer): void {
  const { status, type, text } = answer;
  const refusal = refusalIn(answer);
  if (refusal !== undefined) throw new Error(refusal);
  if (type !== '' && !/^[\w!#$%&'*+.^`|~-]+/.test(type.trim()))
    throw new Error('Internal error occurred: mime: no media type');
  if (text === '') throw new Error(`0-length response with status code: ${status} and content type: ${type}`);
}
