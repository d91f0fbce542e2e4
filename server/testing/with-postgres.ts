/** Tests that need PostgreSQL: they run where its server is installed, and say so where it is not. */
import { afterAll, beforeAll, describe } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../../tools/postgres.ts';

const bin = findPostgres();

/**
 * One server for all tests in `tests`. With REQUIRE_POSTGRES set, as CI does, a missing one is an error.
 * @param tests is given what gives the server, once a test runs
 */
export function describeWithPostgres(name: string, tests: (server: () => PostgresServer) => void): void {
  const skipped = ': SKIPPED, since no PostgreSQL server is installed (initdb and postgres in PATH)';
  describe.skipIf(bin === undefined)(bin === undefined ? name + skipped : name, () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres({ bin: bin!, settings: ['fsync=off'] });
    });
    afterAll(() => server?.close());
    tests(() => server);
  });
}
