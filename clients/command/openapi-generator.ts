/** OpenAPI Generator, which makes the clients in Java and Rust: one jar, fetched by Maven. */
import { join } from 'node:path';
import { cached } from './cache.ts';
import { clientFolder, contract30 } from './language.ts';
import { run } from './shell.ts';

export const VERSION = '7.23.0';

/** Its settings stand in clients/LANGUAGE/generator.yaml. It reads 3.1, too, but makes untyped values of some unions there. */
export async function openapiGenerator(language: string, out: string): Promise<void> {
  const folder = await cached(`openapi-generator-${VERSION}`, (to) =>
    run({
      command: 'mvn',
      args: ['-q', '-B', 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy', `-Dartifact=org.openapitools:openapi-generator-cli:${VERSION}`, `-DoutputDirectory=${to}`],
    }),
  );
  const jar = join(folder, `openapi-generator-cli-${VERSION}.jar`);
  await run({ command: 'java', args: ['-jar', jar, 'generate', '-i', contract30, '-c', join(clientFolder(language), 'generator.yaml'), '-o', out] });
}
