/** The outcome of the survey, as reports have it. */
import type { Surveyed, SurveyResult } from '../http/recipe.ts';
import type { SurveyedOperation } from './result.ts';

export const surveyedOperations = (survey: SurveyResult): SurveyedOperation[] =>
  Object.values(survey).map(surveyedOperation);

function surveyedOperation(surveyed: Surveyed): SurveyedOperation {
  const { operationId, status, reason, refusal, flaw, recipe, tried } = surveyed;
  const found: SurveyedOperation = {
    operation: operationId,
    outcome: outcomeOf(surveyed),
    tried,
  };
  if (status !== undefined) {
    found.status = status;
  }
  if (recipe !== undefined) {
    const { path, body } = recipe;
    found.how = body === undefined ? path.how : `${path.how}; ${body.how}`;
  }
  if (reason !== undefined) {
    found.reason = reason;
  }
  if (refusal !== undefined) {
    found.refusal = refusal;
  }
  if (flaw !== undefined) {
    found.flaw = flaw;
  }
  return found;
}

function outcomeOf({ isReached, isLeftOut }: Surveyed): SurveyedOperation['outcome'] {
  if (isReached) {
    return 'reached';
  }
  return isLeftOut ? 'left out' : 'not reached';
}
