/** OpenAPI Generator: one jar, fetched by Maven. It makes clients, and validates the contract. */
import { join } from 'node:path';
import { cached } from './cache.ts';
import { run } from './shell.ts';

export const VERSION = '7.23.0';

/**
 * The path of the jar, which `java -jar` runs.
 * @throws {CommandError} when Maven cannot fetch it
 */
export async function openapiGeneratorJar(): Promise<string> {
  const folder = await cached(`openapi-generator-${VERSION}`, (to) =>
    run({
      command: 'mvn',
      args: [
        '-q',
        '-B',
        'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy',
        `-Dartifact=org.openapitools:openapi-generator-cli:${VERSION}`,
        `-DoutputDirectory=${to}`,
      ],
    }),
  );
  return join(folder, `openapi-generator-cli-${VERSION}.jar`);
}
