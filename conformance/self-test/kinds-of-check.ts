/** Kinds of check that errors of strangers asked for: `docs/maintainers/kinds-of-check.md`. */
export interface KindOfCheck {
  name: string;
  /** As `--only` chooses them. */
  requirements: readonly string[];
  /** Operators of `mutation/` whose mutants have errors of this kind. */
  operators: readonly string[];
}

export const KINDS_OF_CHECK: readonly KindOfCheck[] = [
  {
    name: 'other valid spellings of JSON and of queries',
    requirements: [
      '*.spellings',
      '*.refused-spellings',
      '*.body.white-space',
      '*.body.numbers',
      '*.query.spellings',
      '*.path.decoding',
    ],
    operators: [
      'keep-solidus',
      'keep-escape',
      'split-pair',
      'exponent-as-zero',
      'refuse-exponent',
      'refuse-plus-exponent',
      'refuse-fraction',
      'refuse-minus-zero',
      'refuse-line-breaks',
      'ignore-escaped-name',
      'raw-query-name',
      'raw-query-value',
      'semicolon-separates',
      'plus-is-nothing',
    ],
  },
  {
    name: 'credentials in other places and spellings',
    requirements: [
      '*.401',
      '*.401.elsewhere',
      '*.401.twice',
      '*.403.scheme',
      '*.read-only-token.scheme',
      'authentication.',
    ],
    operators: [
      'token-in-query',
      'token-in-cookie',
      'token-in-field',
      'token-for-proxy',
      'ignore-padding',
      'lower-case-writes',
      'upper-case-writes',
      'two-spaces-write',
      'read-only-writes',
    ],
  },
  {
    name: 'texts with a meaning elsewhere',
    requirements: ['routes.texts', 'edges.echo.texts', '*.body.unusual'],
    operators: [
      'fill-template',
      'strip-tags',
      'strip-parents',
      'strip-marks',
      'strip-pairs',
      'double-quotes',
      'plus-as-space',
      'fill-format',
    ],
  },
  {
    name: 'paths of something that exists, altered',
    requirements: ['*.altered', '*.path.encoded-slash'],
    operators: [
      'drop-format-suffix',
      'trim-segment',
      'cut-at-encoded',
      'cut-at-dot',
      'ignore-zeros',
      'ignore-last',
      'ignore-inner-letter',
      'fold-segment',
    ],
  },
  {
    name: 'odd header fields, and precedence in `Accept`',
    requirements: ['*.header-fields', '*.accept', '*.accept.precedence', '*.accept.fields'],
    operators: [
      'fail-bytes',
      'fail-quotes',
      'fail-long-value',
      'refuse-template',
      'fail-empty-member',
      'refuse-long-list',
      'refuse-weight-dot',
      'split-quoted',
      'any-weight',
      'wildcard-wins',
      'small-is-zero',
    ],
  },
  {
    name: 'HEAD beside GET',
    requirements: ['*.head', '*.head.responses', '*.metadata-url.head'],
    operators: [
      'head-misses-query',
      'head-of-errors',
      'head-without-token',
      'head-any-accept',
      'head-other-length',
      'head-other-error',
      'head-of-nothing',
    ],
  },
  {
    name: 'a refused change with a valid one beside it',
    requirements: [
      '*.unchanged',
      '*.refused-beside',
      '*.nothing-kept',
      '*.update.mixed',
      '*.update.several',
      'edges.refused-inside',
    ],
    operators: [
      'invalid-yet-kept',
      'conflict-yet-kept',
      'taken-yet-kept',
      'invalid-yet-taken',
      'conflict-yet-taken',
      'null-resets-neighbour',
      'value-resets-neighbour',
      'null-lost-beside-value',
      'value-lost-beside-null',
      'merge-alike',
    ],
  },
  {
    name: 'limits in bytes',
    requirements: ['*.body.size-in-bytes', '*.x-max-bytes'],
    operators: ['count-body-characters'],
  },
  {
    name: 'races across operations',
    requirements: [
      'edges.race.routes',
      'edges.race.upstream',
      'edges.race.mutual-tls',
      'edges.race.delete-and-create',
      '*.linearizable',
    ],
    operators: [
      'restore-parent',
      'outlive-parent',
      'write-back-removed',
      'write-back-changed',
      'half-update',
    ],
  },
  {
    name: 'stale responses',
    requirements: ['*.noticed'],
    operators: ['remember-beside', 'remember-nothing', 'remembered-404', 'cached-response'],
  },
];
