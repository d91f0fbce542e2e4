/** Tests that need PostgreSQL: they run if its server is installed, and say so if it is not. */
import { afterAll, beforeAll, describe } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../../tools/postgres.ts';

const bin = findPostgres();

/**
 * One server for all tests in `tests`, which get it once a test runs. REQUIRE_POSTGRES, as CI sets
 * it, demands one.
 */
export function describeWithPostgres(
  name: string,
  tests: (server: () => PostgresServer) => void,
): void {
  const skipped =
    ': SKIPPED, since no PostgreSQL server is installed (initdb and postgres in PATH)';
  describe.skipIf(bin === undefined)(bin === undefined ? name + skipped : name, () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres({ bin: bin!, settings: ['fsync=off'] });
    });
    afterAll(() => server?.close());
    tests(() => server);
  });
}
