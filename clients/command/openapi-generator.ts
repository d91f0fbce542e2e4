/** OpenAPI Generator makes the clients in Java and Rust. */
import { join } from 'node:path';
import { openapiGeneratorJar } from '../../tools/openapi-generator.ts';
import { run } from '../../tools/shell.ts';
import { clientFolder, contract30 } from './language.ts';

export { VERSION } from '../../tools/openapi-generator.ts';

/** Its settings stand in clients/LANGUAGE/generator.yaml. It reads 3.1, too, but makes untyped values of some unions there. */
export async function openapiGenerator(language: string, out: string): Promise<void> {
  const jar = await openapiGeneratorJar();
  await run({
    command: 'java',
    args: ['-jar', jar, 'generate', '-i', contract30, '-c', join(clientFolder(language), 'generator.yaml'), '-o', out],
  });
}
