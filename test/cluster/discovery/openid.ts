/** OpenID Connect discovery for service account tokens. */

import type { ResponseRequest } from '../encoding/encode-response.ts';
import { checkPage, mediaTypes } from '../encoding/negotiation.ts';
import { textResponse } from '../encoding/representation.ts';
import type { ApiResponse } from '../requests/message.ts';

const keysType = 'application/jwk-set+json';

/** JSON response that may be cached for an hour. */
function cacheableResponse(value: object, contentType: string): ApiResponse {
  const response = textResponse(200, JSON.stringify(value), contentType);
  return { ...response, headers: { ...response.headers, 'cache-control': 'public, max-age=3600' } };
}

/** Answers with the OpenID configuration. Throws the server's 406. */
export async function openIdConfiguration({ server, request: { headers } }: ResponseRequest): Promise<ApiResponse> {
  checkPage(headers.accept);
  const configuration = {
    issuer: server.tokens.issuer,
    jwks_uri: `https://${headers.host ?? ''}/openid/v1/jwks`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  };
  return cacheableResponse(configuration, mediaTypes.json);
}

/** Answers with the JSON Web Key Set of service account tokens. Throws the server's 406. */
export async function openIdKeys({ server, request }: ResponseRequest): Promise<ApiResponse> {
  checkPage(request.headers.accept, keysType);
  return cacheableResponse({ keys: [await server.tokens.publicKey()] }, keysType);
}
