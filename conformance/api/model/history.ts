/**
 * Runs commands at once: some order of them, one after the other in the model, explains all
 * responses.
 */
import { expectEither } from '../../engine/http/expect-response.ts';
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Session } from '../../engine/http/session.ts';
import { isExplained } from '../../engine/laws/linearizability.ts';
import { holds } from '../../engine/laws/expect-items.ts';
import type { Json } from '../modules.ts';
import { required } from '../required.ts';
import { type Command, inputOf, outcomeOf } from './commands.ts';
import type { CallOutcome, State } from './outcomes.ts';
import { type Run, runCommand, shownBy, startRun, startRunWithSubscriptions } from './run.ts';

export interface History {
  /** Commands that are sent one after the other, before the rounds. */
  before: Command[];
  /**
   * The commands of a round are sent at once, and those of the next one when all have responses.
   */
  rounds: Command[][];
}

/** A command that was sent at once with others of its round, and its response. */
interface Observation {
  round: number;
  command: Command;
  response: HttpResponse;
}

/**
 * A history of edges and routes.
 * @throws Nonconformity if no order of the commands explains the responses
 */
export async function runHistory(history: History, session: Session): Promise<void> {
  await tryHistory(history, startRun(session));
}

/** A history with commands on event sources. @throws Nonconformity, NotPossible */
export async function runSourceHistory(history: History, session: Session): Promise<void> {
  await tryHistory(history, await startRunWithSubscriptions(session));
}

async function tryHistory({ before, rounds }: History, run: Run): Promise<void> {
  for (const one of before) {
    await runCommand(run, one);
  }
  const seen: Observation[] = [];
  for (const [round, commands] of rounds.entries()) {
    seen.push(...(await sendRound(run, round, commands)));
  }
  const calls = seen.map(({ round, command, response }) => ({
    round,
    after(state: State) {
      const due = outcomeOf(state, run.names, command);
      return isSeen(due, response, command, run) ? [due.state] : [];
    },
  }));
  const what = 'No order of the requests that were sent at once explains all responses.';
  expectThat(isExplained(calls, run.state, JSON.stringify), what, {
    expected: 'responses as if the requests had come one after the other',
    got: seen.map(({ round, command, response: { status } }) => ({ round, ...command, status })),
  });
}

/**
 * Sends the commands at once. Each succeeds, or is refused because of what exists or does not
 * exist.
 */
async function sendRound(
  { session, names }: Run,
  round: number,
  commands: readonly Command[],
): Promise<Observation[]> {
  const responses = await session.together(() =>
    commands.map((command) => session.call(command.do, inputOf(names, command))),
  );
  const seen = commands.map((command, index) => {
    const response = required(responses[index], 'a command has no response');
    return { round, command, response };
  });
  for (const { command, response } of seen) {
    const operation = session.operation(command.do);
    const why = 'It may be refused for what is there.';
    expectEither(session.implementation, operation, response, { statuses: [404, 409], why });
  }
  return seen;
}

/** Whether the response is that of the outcome. */
function isSeen(due: CallOutcome, response: HttpResponse, command: Command, run: Run): boolean {
  if (response.status !== due.status) {
    return false;
  }
  const shown = shownBy(due, command, run);
  if (!shown) {
    return true;
  }
  if (command.do === 'listEventSources') {
    const foreign = run.foreign[command.subscription ?? 0] ?? [];
    return isListed(shown, response, foreign);
  }
  return holds(() => expectSame('', response.json, shown));
}

/**
 * Whether a page has the sources that are shown, or the first of them.
 * @param foreign types of somebody else, which may be on it
 */
function isListed(shown: Json, { json }: HttpResponse, foreign: readonly string[]): boolean {
  const { uri, sources } = json as { uri: unknown; sources: Json[] };
  const listed = typesOf(sources).filter((type) => !foreign.includes(type));
  const all = typesOf(shown['sources'] as Json[]);
  const isLastPage = uri === null;
  const due = isLastPage ? all : all.slice(0, listed.length);
  return listed.join() === due.join();
}

function typesOf(sources: readonly Json[]): string[] {
  return sources.map(({ type }) => String(type));
}
