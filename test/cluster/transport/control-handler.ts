/** Serves control actions beside the API. */

import { jsonResponse } from '../encoding/representation.ts';
import type { ApiRequest, ApiResponse, Handler } from '../requests/message.ts';

/** Control actions by name: each takes the JSON body and returns the JSON answer. A TypeError is reported as the client's error. */
export type ControlActions = Readonly<Record<string, (body: unknown) => object | Promise<object>>>;

const prefix = '/control/';
const administrators = 'system:masters';

const refuse = (code: number, reason: string, message: string): ApiResponse =>
  jsonResponse(code, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code });

const decoder = new TextDecoder();

function jsonOf(body: Uint8Array | undefined): unknown {
  if (body === undefined || body.byteLength === 0) return {};
  try {
    return JSON.parse(decoder.decode(body));
  } catch (error) {
    throw new TypeError(`the body is not JSON: ${(error as Error).message}`);
  }
}

async function act(actions: ControlActions, { method, url, user, body }: ApiRequest): Promise<ApiResponse> {
  if (!user.groups.includes(administrators)) {
    const message = `control is for members of ${administrators}, not for ${JSON.stringify(user.name)}`;
    return refuse(403, 'Forbidden', message);
  }
  const name = url.slice(prefix.length).split('?', 1)[0]!;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) {
    const known = Object.keys(actions).join(', ');
    return refuse(404, 'NotFound', `there is no control ${JSON.stringify(name)}, but ${known}`);
  }
  if (method !== 'POST') return refuse(405, 'MethodNotAllowed', 'control is by POST');
  try {
    return jsonResponse(200, await action(jsonOf(body)));
  } catch (error) {
    if (error instanceof TypeError) return refuse(400, 'BadRequest', error.message);
    throw error;
  }
}

/** Reports whether a URL is that of a control action; its body may be as large as a snapshot. */
export const isControl = (url: string): boolean => url.startsWith(prefix);

/** Wraps a handler to serve `POST /control/NAME` as well. */
export const withControl =
  (handle: Handler, actions: ControlActions): Handler =>
  (request) =>
    isControl(request.url) ? act(actions, request) : handle(request);
