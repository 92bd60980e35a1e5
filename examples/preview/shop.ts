/** Component of the example: a web server that says which commit it is of, and what it was given. Its pod's environment is its configuration. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const { COMMIT = '', DATABASE_URI = '', BUCKET = '' } = process.env;

/** Reads the time from the database, where it is a real one. */
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

const server = createServer((_request, response) => {
  databaseSays().then(
    (database) => response.end(`shop of commit ${COMMIT.slice(0, 7)}, database ${database}, bucket ${BUCKET}\n`),
    (error: unknown) => response.writeHead(500).end(`${error}\n`),
  );
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.resume().on('end', () => process.exit()); // with the node agent, whatever becomes of that
