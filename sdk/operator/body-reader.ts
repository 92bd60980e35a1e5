/** Reader of request bodies with bounded memory. */

import type { IncomingMessage } from 'node:http';

/** Bounds of the bodies that a server holds. */
export interface BodyBounds {
  /** Maximum bytes of one body. */
  readonly each: number;
  /** Maximum bytes of all bodies held at the same time. */
  readonly all: number;
}

/** Body held in memory, or the HTTP status of its refusal. */
export type HeldBody = { readonly body: Buffer; release(): void } | { readonly status: 413 | 503 };

/** Reader of request bodies that bounds the memory of all. */
export interface BodyReader {
  /** Reads a body, which occupies memory until `release`. Rejects when the connection breaks. */
  read(request: IncomingMessage): Promise<HeldBody>;
}

/** Creates a reader that refuses a body over `each` bytes (413), and any body while `all` bytes are held (503). */
export function createBodyReader({ each, all }: BodyBounds): BodyReader {
  let held = 0;
  return {
    async read(request) {
      if (Number(request.headers['content-length'] ?? 0) > each) return { status: 413 };
      const chunks: Buffer[] = [];
      let size = 0;
      let isComplete = false;
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
        isComplete = true;
        return { body: Buffer.concat(chunks), release };
      } finally {
        if (!isComplete) release();
      }
    },
  };
}
