/**
 * The command with edited contracts: each breaking change is found, and no other one. Needs Go,
 * once, for oasdiff.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { dump } from 'js-yaml';
import { temporaryFolder } from '../../../tools/temporary-folder.ts';
import { readDocument } from '../page/json.ts';
import { installOasdiff } from './oasdiff.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const contract = join(root, 'openapi.yaml');
beforeAll(() => installOasdiff());

// An edit of a place that the contract does not have throws.
type Edited = any;
type Edit = (contract: Edited) => void;

async function check(edits: readonly Edit[], version?: string) {
  const edited = readDocument(contract) as Edited;
  for (const edit of edits) {
    edit(edited);
  }
  if (version !== undefined) {
    edited.info.version = version;
  }
  const after = join(await temporaryFolder(), 'after.yaml');
  writeFileSync(after, dump(edited, { noRefs: true }));
  const command = [join(root, 'dist', 'docs', 'site', 'breaking', 'check.js'), contract, after];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
}

const schemas = ({ components }: Edited) => components.schemas;

describe('breaking changes', () => {
  /** By the kind that is found; `api-removed` hides no other one. */
  const EDITS: Record<string, Edit> = {
    'api-removed': (one) => delete one.paths['/edges/https/{edge_id}'].delete,
    'became-required': (one) => {
      schemas(one).HTTPSEdgeCreate.required = ['hostports'];
    },
    'request-property-removed': (one) => delete schemas(one).HTTPSEdgeCreate.properties.metadata,
    'response-required-property-removed': (one) =>
      delete schemas(one).HTTPSEdge.properties.metadata,
    'became-optional': (one) => schemas(one).HTTPSEdge.required.splice(0, 1),
    'became-nullable': (one) => {
      schemas(one).HTTPSEdge.properties.description = { type: ['string', 'null'] };
    },
    'became-not-nullable': (one) => {
      schemas(one).HTTPSEdgeCreate.properties.mutual_tls = {
        $ref: '#/components/schemas/EndpointMutualTLSMutate',
      };
    },
    'max-bytes-decreased': (one) => {
      schemas(one).Metadata['x-max-bytes'] = 200;
    },
    'max-items-decreased': (one) => {
      schemas(one).HostportListOrNull.maxItems = 99;
    },
    'min-items': (one) => {
      schemas(one).HostportListOrNull.minItems = 1;
    },
    'pattern-changed': (one) => {
      schemas(one).Hostport.pattern = '^a+$';
    },
    'enum-value-removed': (one) => schemas(one).MatchType.enum.pop(),
    'type-changed': (one) => {
      schemas(one).RollingWindow.type = 'string';
    },
    'dependent-required': (one) => {
      schemas(one).HTTPSEdgeRouteCreate.dependentRequired = { oauth: ['backend'] };
    },
    'success-status-removed': ({ paths }) => {
      const { responses } = paths['/edges/https'].post;
      responses['200'] = responses['201'];
      delete responses['201'];
    },
    'max-decreased': (one) => {
      one.components.parameters.Limit.schema.maximum = 50;
    },
  };
  const edits = Object.values(EDITS);

  it('are found, each by its kind', async () => {
    const { code, output } = await check(edits);
    expect(
      Object.keys(EDITS).filter((kind) => !new RegExp(`\\[[\\w-]*${kind}[\\w-]*\\]`).test(output)),
    ).toEqual([]);
    expect(code).toBe(1);
  });

  it('are allowed with a new major version', async () => {
    const { code, output } = await check(edits, '1.0.0');
    expect(output).toMatch(/api-removed[^]*which the new version allows/);
    expect(code).toBe(0);
  });
});

it('other words, and anything that is optional, wider or new, break nothing', async () => {
  const { code, output } = await check([
    (one) => {
      one.info.description = 'Other words.';
    },
    (one) => {
      one.paths['/new'] = {
        get: { operationId: 'new', responses: { '200': { description: 'New.' } } },
      };
    },
    (one) => {
      schemas(one).HTTPSEdgeCreate.properties.extra = { type: 'string' };
    },
    (one) => {
      schemas(one).HTTPSEdge.properties.extra = { type: 'string' };
    },
    (one) => {
      schemas(one).Description['x-max-bytes'] = 300;
    },
    (one) => {
      schemas(one).New = { type: 'string', 'x-max-bytes': 1 };
    },
    ({ components }) => components.responses.Conflict['x-problem-codes'].push('busy'),
  ]);
  expect(output).toMatch(/nothing is broken/);
  expect(code).toBe(0);
});

it.each<[RegExp, Edit, string | undefined]>([
  [/went back from \d/, () => {}, '0.1.0'],
  [/MAJOR\.MINOR\.PATCH/, () => {}, 'new'],
  [
    /oasdiff: /,
    (one) => {
      schemas(one).HTTPSEdge = { $ref: '#/components/schemas/Gone' };
    },
    undefined,
  ],
])(
  'a contract that cannot be compared ends with one line and exit code 2: %s',
  async (message, edit, version) => {
    const { code, output } = await check([edit], version);
    expect(output).toMatch(message);
    expect(code).toBe(2);
    expect(output.trim().split('\n')).toHaveLength(1);
  },
);
