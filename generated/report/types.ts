export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Report: {
            /**
             * @description The version of this schema. It changes with what a reader of reports would notice.
             * @enum {integer}
             */
            schema_version: 2;
            verdict: components["schemas"]["Verdict"];
            /** @description One line that says why, and what to do; always there unless the verdict is conformant. */
            reason?: components["schemas"]["Line"];
            target: {
                /** @description Base URL of the service under test. */
                url: string;
                level: components["schemas"]["Level"];
                /**
                 * @description `source`: checked by the source document alone.
                 * @enum {unknown}
                 */
                origin: "source" | "all";
                /** @description Whether requests carried a token. */
                authenticated: boolean;
            };
            seed: number;
            /** @description Cases per property. */
            runs: components["schemas"]["Positive"];
            contract: {
                title: components["schemas"]["Text"];
                version: components["schemas"]["Text"];
                /** @description Of the file of the contract, byte for byte. */
                sha256: string;
            };
            suite: {
                name: components["schemas"]["Text"];
                version: components["schemas"]["Text"];
            };
            /**
             * Format: date-time
             * @description RFC 3339.
             */
            started_at: string;
            duration_ms: components["schemas"]["Duration"];
            /** @description How many requests were sent. */
            requests: components["schemas"]["Count"];
            /** @description How often requests were sent again: after 429, after 503 with `Retry-After`, and after a connection that ended early; and how often cases were tried again from their start. */
            retries: {
                rate_limited: components["schemas"]["Count"];
                unavailable: components["schemas"]["Count"];
                connection_lost: components["schemas"]["Count"];
                cases: components["schemas"]["Count"];
            };
            /** @description What the verdict does not say and somebody should look at. */
            warnings: components["schemas"]["Line"][];
            /** @description What the suite created and could not remove: how many of each kind, such as `edges` of the built-in contract; of other contracts, by the operation that made them: `POST /pets`. */
            left_behind: components["schemas"]["Counts"];
            /** @description What may have been created besides, since the request got no response: how many of each kind. */
            may_have_been_made: components["schemas"]["Counts"];
            /** @description The operations that the run was to try and whose success was never seen, in the order of the contract. While there are more than `--min-tried` allows, the verdict is not conformant. */
            never_succeeded: {
                operation: components["schemas"]["Text"];
                /** @description Why, and what is needed. */
                reason: components["schemas"]["Line"];
                refusal?: components["schemas"]["Refusal"];
            }[];
            /** @description How each operation was reached before anything was checked. Missing if the service could not be asked. */
            survey?: components["schemas"]["SurveyedOperation"][];
            /** @description What is wrong, each cause once, in the order in which to fix it: by kind, and within a kind by the number of requirements. */
            findings: components["schemas"]["Finding"][];
            /** @description How many requirements have each status. */
            summary: {
                blocked: components["schemas"]["Count"];
                pass: components["schemas"]["Count"];
                fail: components["schemas"]["Count"];
                flaky: components["schemas"]["Count"];
                skip: components["schemas"]["Count"];
                disabled: components["schemas"]["Count"];
                error: components["schemas"]["Count"];
            };
            /** @description In the order of the contract. */
            requirements: components["schemas"]["RequirementResult"][];
        };
        /**
         * @description `inconclusive`: the suite could not check the implementation (unreachable, refused, or nothing was verified). `incomplete`: nothing is broken, and too few of the chosen operations succeeded (`never_succeeded`).
         * @enum {unknown}
         */
        Verdict: "conformant" | "nonconformant" | "incomplete" | "inconclusive";
        SurveyedOperation: {
            /** @description The `operationId`. */
            operation: components["schemas"]["Text"];
            /**
             * @description `reached`: a call got a status from 200 to 299. `left out`: it may harm what the run did not make, and was not allowed by `--allow`.
             * @enum {unknown}
             */
            outcome: "reached" | "not reached" | "left out";
            /** @description The status of the call that reached it, or of the most telling refusal. */
            status?: number;
            /** @description The recipe in words. */
            how?: components["schemas"]["Text"];
            /** @description Why it was not reached or left out, and what the user can give. */
            reason?: components["schemas"]["Text"];
            refusal?: components["schemas"]["Refusal"];
            /** @description How the success differs from the documented one. */
            flaw?: components["schemas"]["Text"];
            /** @description The candidates, in the order in which they were tried. */
            tried: {
                how: components["schemas"]["Text"];
                /** @description The status of the response; 0 if none came. */
                status: number;
            }[];
        };
        /** @description The most telling refusal of an operation that was not reached: a reader sees whether the service, the data or the suite is wrong. */
        Refusal: {
            /** @description Method, path with query, and body. */
            request: components["schemas"]["Text"];
            /** @description Status and body. */
            response: components["schemas"]["Text"];
        };
        /**
         * @description `flaky`: it failed, and the same case with other test data passed. `blocked`: an operation that it needs was not reached, so that trying it would say nothing. `error`: it could not be checked, because of the suite or of what stands between it and the implementation.
         * @enum {unknown}
         */
        Status: "pass" | "fail" | "flaky" | "skip" | "blocked" | "disabled" | "error";
        /** @enum {unknown} */
        Level: "core" | "extended";
        /**
         * @description What is wrong, in the order in which to fix it. `stopped`: no response came. `server-error`: a status from 500 on, wherever it came. `accepts-invalid`: what the contract forbids is accepted. `refuses-valid`: what it allows is refused. `response`: a response breaks the contract. `law`: what holds of any resource does not hold. `contract`: the contract itself is wrong, which the verdict does not count.
         * @enum {unknown}
         */
        Kind: "stopped" | "server-error" | "accepts-invalid" | "refuses-valid" | "response" | "law" | "contract";
        /** @description The kind, the operation or the area (`*`: several), and what is wrong, in words of the suite and without values: the same in each run. */
        CauseId: string;
        Finding: {
            id: components["schemas"]["CauseId"];
            kind: components["schemas"]["Kind"];
            /** @description What is wrong, in one line. */
            title: components["schemas"]["Line"];
            /** @description Where it was seen: the operations whose responses show it, or the area of a law. */
            operations: components["schemas"]["Text"][];
            /** @description The ids of the requirements that fail because of it. */
            requirements: components["schemas"]["Text"][];
            /** @description How many failures, responses or notes show it. */
            times: components["schemas"]["Positive"];
            /** @description How many requirements could not be tried since the operation was not reached; 0 is left out. */
            blocks?: components["schemas"]["Positive"];
            /** @description Whether it did not come back when the same case was tried again. */
            flaky?: boolean;
            /** @description Whether the cases passed when nothing else was sent: the service fails at requests that it gets at once. */
            at_once?: boolean;
            accepted?: components["schemas"]["Accepted"];
            /** @description The id of the requirement whose failure shows it with the fewest requests. */
            example?: components["schemas"]["Text"];
            /** @description What shows it, where no requirement fails because of it. */
            failure?: components["schemas"]["Failure"];
            /** @description Sentences about the places of the contract that are wrong; or the other requests that were under way when the service stopped. */
            notes?: components["schemas"]["Text"][];
        };
        /** @description The entry of `accept` for the cause: until the day on which it expires, the verdict does not count it. */
        Accepted: {
            cause: components["schemas"]["CauseId"];
            reason: components["schemas"]["Text"];
            /**
             * Format: date
             * @description A day.
             */
            expires: string;
            expired: boolean;
        };
        RequirementResult: {
            /** @description Frozen: never renamed, never used for something else. What stands before the first dot is the area. */
            id: string;
            level: components["schemas"]["Level"];
            /** @description `source §2.5`, or a decision such as `D06`. */
            origin: components["schemas"]["Text"];
            clause: components["schemas"]["ClauseLocation"];
            /** @description The rule in one sentence. */
            sentence: components["schemas"]["Line"];
            status: components["schemas"]["Status"];
            /** @description Why it was skipped, blocked, disabled, flaky or in error. */
            reason?: components["schemas"]["Text"];
            /** @description If it is blocked, the `operationId` of the operation that it needs. */
            blocked_by?: components["schemas"]["Line"];
            /** @description The entry of --known-failures, where the requirement fails or is flaky. It counts as broken once it is expired. */
            known_failure?: {
                reason: components["schemas"]["Text"];
                /**
                 * Format: date
                 * @description A day.
                 */
                expires: string;
                expired: boolean;
            };
            accepted?: components["schemas"]["Accepted"];
            /** @description How many generated cases were tried. */
            cases: components["schemas"]["Count"];
            duration_ms: components["schemas"]["Duration"];
            failure?: components["schemas"]["Failure"];
        } & (unknown & unknown & unknown);
        /** @description A place in the contract. */
        ClauseLocation: {
            /** @description The name of the file, without its folder. */
            file: components["schemas"]["Text"];
            /**
             * Format: json-pointer
             * @description RFC 6901; empty for the whole file.
             */
            pointer: string;
            /** @description From 1. */
            line: components["schemas"]["Positive"];
        };
        Failure: {
            /** @description One sentence: what is wrong. */
            message: components["schemas"]["Text"];
            kind: components["schemas"]["Kind"];
            /** @description The operation whose response shows it, which may be another one than that of the requirement; or the area of the requirement. */
            operation: components["schemas"]["Text"];
            /** @description What failures of one cause have in common: they have the same text here. */
            cause: components["schemas"]["Text"];
            /** @description It names the operation, also where the finding is one of several operations. */
            cause_id: components["schemas"]["CauseId"];
            /** @description What failures of several operations have in common if they are one finding, such as the name of the error in the responses: it is behind `cause_id` in the id of that finding. */
            evidence?: components["schemas"]["Text"];
            /** @description Whether the case passed when nothing else was sent. */
            at_once?: boolean;
            /** @description All that is wrong with the response, if it is more than one thing. */
            violations?: components["schemas"]["Violation"][];
            expected: string;
            got: string;
            /** @description The minimal sequence that shows it; the last one is the response that breaks the rule. */
            exchanges: components["schemas"]["Exchange"][];
            /** @description A shell script that shows it; its token comes from the environment. */
            curl: string;
            /** @description The command that runs this case again; empty where no case shows it. */
            replay: string;
        };
        Violation: {
            message: components["schemas"]["Text"];
            expected: string;
            got: string;
            /** @description JSON Pointer of the place in the contract that is broken. */
            clause?: string;
        };
        Exchange: {
            request: {
                method: string;
                /** @description As sent. */
                url: components["schemas"]["Text"];
                headers: components["schemas"]["Headers"];
                body: string | null;
            };
            /** @description Null when no response came; then `error` says why. */
            response: {
                status: number;
                headers: components["schemas"]["Headers"];
                body: string;
            } | null;
            error?: components["schemas"]["Text"];
        };
        Headers: {
            [key: string]: string;
        };
        Line: string;
        Text: string;
        Counts: {
            [key: string]: components["schemas"]["Count"];
        };
        Count: number;
        Positive: number;
        /** @description In milliseconds. */
        Duration: number;
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
