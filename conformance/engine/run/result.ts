/**
 * The findings of one run of the suite, the data behind every report, as
 * `report/report.schema.yaml` states it.
 */
import type { components } from '../../../generated/report/types.ts';

export type { Level } from '../contract/operations.ts';

type Schemas = components['schemas'];

export type Report = Schemas['Report'];
export type Verdict = Schemas['Verdict'];
export type RequirementResult = Schemas['RequirementResult'];
export type Status = Schemas['Status'];
export type SurveyedOperation = Schemas['SurveyedOperation'];
export type Failure = Schemas['Failure'];
export type Finding = Schemas['Finding'];
export type ReportedExchange = Schemas['Exchange'];
