/** Component of the example: a web server that says which commit it is of, and what it was given. Its pod's environment is its configuration. */

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const { COMMIT = '', DATABASE_URI = '', BUCKET = '', AWS_ENDPOINT_URL_S3 = '' } = process.env;

/** Counts the visit in the database, where it is a real one. */
async function databaseSays(): Promise<string> {
  const { protocol, pathname } = new URL(DATABASE_URI);
  const name = pathname.slice(1);
  if (protocol !== 'postgresql:') return name;
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: DATABASE_URI });
  await client.connect();
  try {
    await client.query('CREATE TABLE IF NOT EXISTS visits (at timestamptz DEFAULT now())');
    await client.query('INSERT INTO visits DEFAULT VALUES');
    const { rows } = await client.query<{ readonly count: string }>('SELECT count(*) FROM visits');
    return `${name}, visit ${rows[0]?.count}`;
  } finally {
    await client.end();
  }
}

/** Writes an object for the visit into the bucket, where it is a real one, and counts them. */
async function bucketSays(): Promise<string> {
  if (new URL(AWS_ENDPOINT_URL_S3).hostname.endsWith('.invalid')) return BUCKET;
  const { ListObjectsV2Command, PutObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client({ forcePathStyle: true }); // address, region and key are in the environment
  try {
    await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: `visits/${randomUUID()}`, Body: 'visit' }));
    const { KeyCount } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
    return `${BUCKET}, object ${KeyCount}`;
  } finally {
    client.destroy();
  }
}

const server = createServer((_request, response) => {
  Promise.all([databaseSays(), bucketSays()]).then(
    ([database, bucket]) =>
      response.end(`shop of commit ${COMMIT.slice(0, 7)}, database ${database}, bucket ${bucket}\n`),
    (error: unknown) => response.writeHead(500).end(`${error}\n`),
  );
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.resume().on('end', () => process.exit()); // with the node agent, whatever becomes of that
