import type { Asked } from '../http/finish.ts';
import type { ApiResponse } from '../http/message.ts';
import { checkPage, mediaTypes } from '../http/negotiation.ts';
import { textResponse } from '../http/represent.ts';

const keysType = 'application/jwk-set+json';

/** Who verifies tokens elsewhere may keep what it has read for an hour. */
function kept(value: object, contentType: string): ApiResponse {
  const response = textResponse(200, JSON.stringify(value), contentType);
  return { ...response, headers: { ...response.headers, 'cache-control': 'public, max-age=3600' } };
}

/** Where the keys are that tokens of service accounts are verified by. Throws the server's 406. */
export async function openIdConfiguration({ machinery, request: { headers } }: Asked): Promise<ApiResponse> {
  checkPage(headers.accept);
  const configuration = {
    issuer: machinery.tokens.issuer,
    jwks_uri: `https://${headers.host ?? ''}/openid/v1/jwks`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  };
  return kept(configuration, mediaTypes.json);
}

/** The key that tokens of service accounts are verified by, as a JSON Web Key Set. Throws the server's 406. */
export async function openIdKeys({ machinery, request }: Asked): Promise<ApiResponse> {
  checkPage(request.headers.accept, keysType);
  return kept({ keys: [await machinery.tokens.publicKey()] }, keysType);
}
