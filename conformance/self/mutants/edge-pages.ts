/** Lists of edges that are not complete, not in order, or whose pages do not add up. */
import type { Mutant } from '../mutant.ts';
import { mutantsOf } from './define.ts';
import { jsonOf, problem } from '../mutate/response.ts';
import { cutBehind, type EdgePageRequest, pagingEdges } from '../mutate/edge-list.ts';
import { both, done, type Mutate, remembering } from '../mutate/mutate.ts';
import { type Json } from '../mutate/request.ts';
import { ascii } from '../mutate/list.ts';

const mutant = mutantsOf('edge-pages', 'extended');

/** Correct pages of another order. */
const ordered = (sort: (all: Json[]) => Json[]): Mutate =>
  pagingEdges((all, request) => cutBehind()(sort(all), request));

const by = (name: string) => (one: Json, other: Json) => ascii(String(one[name]), String(other[name]));

/** In the order in which edges were changed last. */
const byChange: Mutate = remembering(() => {
  let writes = 0;
  const changed = new Map<string, number>();
  const remember = done(['createEdge', 'updateEdge'], (response) => {
    changed.set(jsonOf(response).id, ++writes);
    return response;
  });
  const when = ({ id }: Json) => changed.get(String(id)) ?? 0;
  return both(
    remember,
    ordered((all) => all.toSorted((one, other) => when(other) - when(one))),
  );
});

/** Cursors name the edge that they stand behind; what if it is gone? */
const whenGone = (
  then: (all: Json[], request: EdgePageRequest) => ReturnType<Parameters<typeof pagingEdges>[0]>,
): Mutate =>
  pagingEdges((all, request) =>
    request.cursor !== undefined && !all.some(({ id }) => id === request.cursor)
      ? then(all, request)
      : cutBehind()(all, request),
  );

export const edgePages: Mutant[] = [
  mutant(
    'by-second',
    'Edges of one second are listed by id.',
    ordered((all) => all.toSorted((one, other) => by('created_at')(other, one) || by('id')(one, other))),
  ),
  mutant('by-change', 'The edge that was changed last comes first.', byChange),
  mutant(
    'pages-by-second',
    'A page begins behind the second in which the last edge was created.',
    pagingEdges((all, { limit, cursor }) => {
      const rest = cursor === undefined ? all : all.filter((edge) => String(edge['created_at']) < cursor);
      const edges = rest.slice(0, limit);
      return {
        edges,
        next:
          rest.length > edges.length
            ? { limit: String(limit), cursor: String(edges.at(-1)!['created_at']) }
            : undefined,
      };
    }),
  ),
  mutant(
    'cursor-gone',
    'A cursor is refused when its edge was deleted.',
    whenGone(() =>
      problem(400, 'invalid_request', { errors: [{ parameter: 'cursor', code: 'value', detail: 'It is unknown.' }] }),
    ),
  ),
  mutant(
    'cursor-gone-ends',
    'A cursor whose edge was deleted ends the list.',
    whenGone(() => ({ edges: [] })),
  ),
  mutant(
    'changed-moves',
    'An edge that is changed moves to the first page, and those that are walking past miss it.',
    byChange,
  ),
];
