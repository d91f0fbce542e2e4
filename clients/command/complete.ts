/**
 * The steps after the generator of a client: they add checks of ids, and the files of `beside/`.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientFolder, contract } from '../folders.ts';
import { readDocument } from '../samples/json.ts';
import { CommandError } from '../../tools/shell.ts';
import { checkPathParameters, type PathExpression, pathParametersOf } from './path-parameters.ts';

interface Completion {
  path: PathExpression;
  /** Files of the generator that name the files beside them. */
  edits?: readonly Edit[];
}

interface Edit {
  file: string;
  /** A line that the generator writes. */
  after: string;
  insert: string;
}

/** The expression by which oapi-codegen writes a value into a path. */
const GO_PATH_PARAMETER = new RegExp(
  String.raw`runtime\.StyleParamWithOptions\("simple", false, "(?<name>\w+)", (?<value>\w+), ` +
    String.raw`.*ParamLocationPath.*\)$`,
  'gm',
);

const quoted = (text: string): string => JSON.stringify(text);

const RUST_DEPENDENCIES = [
  'async-trait = "^0.1"',
  'http = "^1.3"',
  'httpdate = "^1.0"',
  'regex-lite = "^0.1"',
  'tokio = { version = "^1", features = ["time"] }',
  '',
].join('\n');

const completions = {
  python: {
    path: {
      folder: 'edge_client/api',
      files: '.py',
      // `type_` is `type` in the contract.
      expression: /quote\(str\((?<value>(?<name>\w+?)_?)\), safe=""\)/g,
      checked: ({ name, pattern }, value) =>
        `path_parameter(${quoted(name)}, ${value}, r${quoted(pattern).replaceAll('\\\\', '\\')})`,
      imported: (source) =>
        source
          .replace('from urllib.parse import quote\n', '')
          .replace(
            '\nfrom ...types import ',
            '\nfrom ...path_parameter import path_parameter\nfrom ...types import ',
          ),
    },
  },
  go: {
    path: {
      folder: '.',
      files: '.gen.go',
      expression: GO_PATH_PARAMETER,
      checked: ({ name, pattern }, value) =>
        `pathParameter(${quoted(name)}, ${value}, \`${pattern}\`)`,
    },
  },
  java: {
    path: {
      folder: 'src/main/java/edge/client/api',
      files: '.java',
      expression: /(?<="\{(?<name>\w+)\}", )ApiClient\.urlEncode\((?<value>\w+)\.toString\(\)\)/g,
      checked: ({ name, pattern }, value) =>
        `PathParameter.checked(${quoted(name)}, ${value}, ${quoted(pattern)})`,
      imported: (source) =>
        withoutNullChecks(source).replace(
          'import edge.client.Pair;\n',
          'import edge.client.Pair;\nimport edge.client.PathParameter;\n',
        ),
    },
  },
  rust: {
    path: {
      folder: 'src/apis',
      files: '_api.rs',
      expression: /crate::apis::urlencode\((?<value>p_path_(?<name>\w+))\)/g,
      checked: ({ name, pattern }, value) =>
        `crate::path_parameter::checked(${quoted(name)}, ${value}, r"${pattern}")?`,
    },
    edits: [
      { file: 'Cargo.toml', after: '[dependencies]\n', insert: RUST_DEPENDENCIES },
      {
        file: 'src/lib.rs',
        after: 'pub mod models;\n',
        insert: 'pub mod calls;\nmod path_parameter;\n',
      },
    ],
  },
} satisfies Record<string, Completion>;

const JAVA_NULL_CHECK =
  / {4}\/\/ verify the required parameter '(?<value>\w+)' is set\n {4}if .*\n.*\n {4}\}\n/g;

/** A path parameter that is null has one check, and so one kind of error, as all its values. */
function withoutNullChecks(source: string): string {
  return source.replaceAll(JAVA_NULL_CHECK, (check, value: string) => {
    const isPathParameter = source.includes(`", ${value}, "`);
    return isPathParameter ? '' : check;
  });
}

/** @throws {CommandError} if the generator wrote something unexpected */
export function complete(language: keyof typeof completions, out: string): void {
  const { path, edits = [] }: Completion = completions[language];
  checkPathParameters(out, path, pathParametersOf(readDocument(contract)));
  cpSync(join(clientFolder(language), 'beside'), out, { recursive: true });
  for (const { file, after, insert } of edits) {
    const source = readFileSync(join(out, file), 'utf8');
    if (!source.includes(after)) {
      throw new CommandError(`the generator writes no line '${after.trim()}' in ${file}`);
    }
    writeFileSync(join(out, file), source.replace(after, `${after}${insert}`));
  }
}
