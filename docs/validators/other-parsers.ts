/** Validators of OpenAPI documents in three languages, with their default settings. */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../server/contract.ts';
import { cached } from '../../tools/cache.ts';
import { pythonProgram } from '../../tools/python.ts';
import { run } from '../../tools/shell.ts';
import type { Validator, ValidatorResult } from './validator.ts';

const folder = join(packageFolder(), 'docs', 'validators');

/** Each prints what is wrong, and does not tell how many rules it has. */
function opinionOf(output: string): ValidatorResult {
  const text = output.trim();
  return { rules: undefined, findings: text === '' ? [] : [{ rule: 'invalid', text: text.slice(0, 2000) }] };
}

function versionIn(file: string, pattern: RegExp): string {
  return pattern.exec(readFileSync(join(folder, file), 'utf8'))![1]!;
}

const SWAGGER_PARSER = versionIn('swagger-parser/package.json', /swagger-parser": "([^"]+)"/);
const SPEC_VALIDATOR = versionIn('openapi-spec-validator/requirements.txt', /^openapi-spec-validator==(.+)$/m);
const KIN_OPENAPI = versionIn('kin-openapi/go.mod', /kin-openapi v(\S+)/);

export const swaggerParser: Validator = {
  name: 'swagger-parser',
  version: SWAGGER_PARSER,
  needs: ['npm'],
  accepted: [],
  async validate(contract) {
    const installed = await cached(`swagger-parser-${SWAGGER_PARSER}`, async (to) => {
      cpSync(join(folder, 'swagger-parser'), to, { recursive: true });
      await run({ command: 'npm', args: ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], cwd: to });
    });
    const script = `import parser from '@apidevtools/swagger-parser';
      await parser.validate(process.argv[1]).catch((error) => console.log(error.message));`;
    const args = ['--input-type=module', '--eval', script, contract];
    return opinionOf((await run({ command: process.execPath, args, cwd: installed })).stdout);
  },
};

export const specValidator: Validator = {
  name: 'openapi-spec-validator',
  version: SPEC_VALIDATOR,
  needs: ['python3'],
  accepted: [],
  async validate(contract) {
    const requirements = join(folder, 'openapi-spec-validator', 'requirements.txt');
    const environment = await pythonProgram('openapi-spec-validator', SPEC_VALIDATOR, requirements);
    const command = join(environment, 'bin', 'openapi-spec-validator');
    const { output, code } = await run({ command, args: [contract], codes: [0, 1] });
    return opinionOf(code === 0 ? '' : output);
  },
};

export const kinOpenapi: Validator = {
  name: 'kin-openapi',
  version: KIN_OPENAPI,
  needs: ['go'],
  accepted: [],
  async validate(contract) {
    const installed = await cached(`kin-openapi-${KIN_OPENAPI}`, async (to) => {
      const cwd = join(folder, 'kin-openapi');
      await run({ command: 'go', args: ['build', '-o', join(to, 'validate'), '.'], cwd });
    });
    return opinionOf((await run({ command: join(installed, 'validate'), args: [contract] })).output);
  },
};
