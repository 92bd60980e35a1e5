/** Reads bodies of requests within bounds. */

import type { IncomingMessage } from 'node:http';

/** Bounds of the bodies that a server holds. */
export interface BodyBounds {
  /** Bytes of one body. */
  readonly each: number;
  /** Bytes of all bodies that are held at a time. */
  readonly all: number;
}

/** Body that is held, or the status of its refusal. */
export type HeldBody = { readonly body: Buffer; release(): void } | { readonly status: 413 | 503 };

/** Reads bodies, and counts those that are held. */
export interface BodyReader {
  /** Reads a body; it counts until it is released. Rejects when the connection breaks. */
  read(request: IncomingMessage): Promise<HeldBody>;
}

/** Creates a reader that refuses a body that is too long (413), and one more when those of others fill the memory (503). */
export function createBodyReader({ each, all }: BodyBounds): BodyReader {
  let held = 0;
  return {
    async read(request) {
      if (Number(request.headers['content-length'] ?? 0) > each) return { status: 413 };
      const chunks: Buffer[] = [];
      let size = 0;
      let kept = false;
      const release = (): void => {
        held -= size;
        size = 0;
      };
      try {
        for await (const chunk of request as AsyncIterable<Buffer>) {
          size += chunk.length;
          held += chunk.length;
          if (size > each) return { status: 413 };
          if (held > all) return { status: 503 };
          chunks.push(chunk);
        }
        kept = true;
        return { body: Buffer.concat(chunks), release };
      } finally {
        if (!kept) release();
      }
    },
  };
}
