/** The types of openapi.yaml. Made by `npm run generate`. */

export interface paths {
    "/edges/https": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List HTTPS edges
         * @description Returns the edges, newest first, one page at a time. Follow `next_page_uri` until it is null.
         */
        get: operations["listEdges"];
        put?: never;
        /**
         * Create an HTTPS edge
         * @description Creates an edge and returns it. No field is required: `{}` creates an edge without
         *     hostports.
         */
        post: operations["createEdge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/https/{edge_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an HTTPS edge
         * @description Returns the edge with its modules and all its routes.
         */
        get: operations["getEdge"];
        put?: never;
        post?: never;
        /**
         * Delete an HTTPS edge
         * @description Deletes the edge and all its routes, atomically.
         */
        delete: operations["deleteEdge"];
        options?: never;
        head?: never;
        /**
         * Update an HTTPS edge
         * @description Changes the properties that are sent and no others, atomically: an omitted property stays as
         *     it is; null removes a module and resets a text or a list to its default; an object or a list
         *     replaces the old one whole.
         *
         *     A change that contradicts other settings of the edge or of its routes is refused with 409
         *     (D09).
         */
        patch: operations["updateEdge"];
        trace?: never;
    };
    "/edges/https/{edge_id}/routes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a route
         * @description Adds a route with all its modules to the edge, atomically. `match_type` and `match` are
         *     required, and together unique in the edge: else 409 `already_exists`. A route that
         *     contradicts its edge is refused with 409 `conflict`: with `terminate_at: upstream`, a route
         *     takes `backend` and `ip_restriction` only (D09). An edge has at most 1,000 routes.
         */
        post: operations["createRoute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/https/{edge_id}/routes/{route_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a route
         * @description Returns the route, or 404 if the edge has no route with this id.
         */
        get: operations["getRoute"];
        put?: never;
        post?: never;
        /**
         * Delete a route
         * @description Deletes the route.
         */
        delete: operations["deleteRoute"];
        options?: never;
        head?: never;
        /**
         * Update a route
         * @description Changes the properties that are sent and no others, atomically: an omitted property stays as
         *     it is; null removes a module and resets a text to its default; a module replaces the old one
         *     whole. One request can remove one sign-in module and set another, and the route is never
         *     open in between.
         *
         *     A change that contradicts other settings is refused with 409: `already_exists` for a `match`
         *     that another route has, `conflict` for a second enabled sign-in module (D21) and for a
         *     module that the edge does not allow (D09).
         */
        patch: operations["updateRoute"];
        trace?: never;
    };
    "/event_subscriptions/{subscription_id}/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event sources
         * @description Returns the sources of the subscription in ascending order of `type`, one page at a time.
         *     Follow `uri` until it is null. A subscription without sources gives an empty list (D14).
         */
        get: operations["listEventSources"];
        put?: never;
        /**
         * Add an event source
         * @description Adds one event type to the subscription. A type that the subscription has already is refused
         *     with 409. Any subscription id is accepted (D14): no operation of this API creates
         *     subscriptions.
         */
        post: operations["createEventSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event_subscriptions/{subscription_id}/sources/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event source
         * @description Returns the source, or 404 if the subscription has no source of this type.
         */
        get: operations["getEventSource"];
        put?: never;
        post?: never;
        /**
         * Remove an event source
         * @description Removes the event type from the subscription, or responds with 404 if it has no source of this type.
         */
        delete: operations["deleteEventSource"];
        options?: never;
        head?: never;
        /**
         * Change the type of an event source
         * @description Replaces the event type in the path, the current one, by `type` in the body, the new one,
         *     atomically (D12):
         *
         *     - The current type is not a source of the subscription: 404.
         *     - No body, `{}` or the current type: 200, and nothing changes.
         *     - The new type is another source of the subscription already: 409.
         */
        patch: operations["updateEventSource"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description An opaque identifier. Do not parse it.
         * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
         */
        ResourceId: string;
        /**
         * Format: uri
         * @description An absolute URI.
         * @example http://127.0.0.1:4010/edges/https/edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
         */
        Uri: string;
        /**
         * Format: date-time
         * @description The RFC 3339 time of creation, by the clock of the service.
         * @example 2026-01-15T09:30:00.000Z
         */
        CreatedAt: string;
        /**
         * Format: max-255-utf8-bytes
         * @description The purpose of the resource in words for people. At most 255 bytes of UTF-8.
         * @example Public storefront
         */
        Description: string;
        /**
         * Format: max-255-utf8-bytes
         * @description The purpose of the resource in words for people. At most 255 bytes of UTF-8. Null means `""`.
         * @example Public storefront
         */
        DescriptionOrNull: string | null;
        /**
         * Format: max-255-utf8-bytes
         * @description The purpose of the resource in words for people. At most 255 bytes of UTF-8. `""` if null or omitted.
         * @default
         * @example Public storefront
         */
        DescriptionOrEmpty: string | null;
        /**
         * Format: max-4096-utf8-bytes
         * @description Arbitrary machine-readable data that the user defines. At most 4,096 bytes of UTF-8.
         * @example team=web
         */
        Metadata: string;
        /**
         * Format: max-4096-utf8-bytes
         * @description Arbitrary machine-readable data that the user defines. At most 4,096 bytes of UTF-8. Null means `""`.
         * @example team=web
         */
        MetadataOrNull: string | null;
        /**
         * Format: max-4096-utf8-bytes
         * @description Arbitrary machine-readable data that the user defines. At most 4,096 bytes of UTF-8. `""` if
         *     null or omitted.
         * @default
         * @example team=web
         */
        MetadataOrEmpty: string | null;
        /**
         * @description True if the module is applied to traffic, false to disable it. True if omitted.
         * @default true
         * @example true
         */
        Enabled: boolean;
        /**
         * @description A host and a port. The host is a name, which may begin with `*.` and may hold `_`, or an
         *     IPv6 address in brackets. Names in other scripts are written in Punycode.
         * @example shop.example.com:443
         * @example *.example.com:8443
         * @example [2001:db8::1]:443
         */
        Hostport: string;
        /**
         * @description The hostports that the edge serves, in the order sent, without repeats.
         * @example [
         *       "shop.example.com:443"
         *     ]
         */
        HostportList: components["schemas"]["Hostport"][];
        /**
         * @description The hostports that the edge serves, in the order sent, without repeats. Null means `[]`.
         * @example [
         *       "shop.example.com:443"
         *     ]
         */
        HostportListOrNull: components["schemas"]["Hostport"][] | null;
        /**
         * @description The hostports that the edge serves, in the order sent, without repeats. `[]` if null or omitted.
         * @default []
         * @example [
         *       "shop.example.com:443"
         *     ]
         */
        HostportListOrEmpty: components["schemas"]["Hostport"][] | null;
        /**
         * @description The event type for which the event subscription triggers: a name with a version, such as
         *     `ip_policy_created.v0` or `http_request_complete.v0`. The list of types is open and outside
         *     this contract.
         * @example ip_policy_created.v0
         * @example http_request_complete.v0
         */
        EventType: string;
        /**
         * @description A TLS version.
         * @enum {string}
         */
        TLSVersion: "1.2" | "1.3";
        /**
         * @description `edge`: the service terminates TLS. `upstream`: TLS passes through to the upstream agent or
         *     application server for termination. With `upstream`, most other modules are disallowed
         *     because they need access to the underlying traffic (D09).
         * @default edge
         * @enum {string}
         */
        TerminateAt: "edge" | "upstream";
        /**
         * @description How `match` selects traffic. How paths are compared, and which of several matching routes
         *     takes a request, is outside this contract.
         * @enum {string}
         */
        MatchType: "exact_path" | "path_prefix";
        /**
         * @description The route selector: a path (`/api`), a host (`shop.example.com`, `*.example.com`,
         *     `[2001:db8::1]`), or a host followed by a path (`shop.example.com/api`). A path has no ASCII
         *     or Unicode white space, no ASCII control characters, no `?` and no `#`. Selectors are
         *     compared as text: two spellings of one path are two selectors.
         * @example /api
         * @example shop.example.com
         * @example shop.example.com/api
         */
        Match: string;
        /**
         * Format: password
         * @description The secret that validates requests from the provider. Required for all providers except
         *     `sns`, where it may be null or omitted (D19).
         * @example correct-horse-battery-staple
         */
        Secret: string | null;
        /**
         * @description The name of an HTTP header field (RFC 9110). Its case does not matter and is kept.
         * @example X-Forwarded-Team
         */
        HeaderName: string;
        /**
         * @description The value of an HTTP header field.
         * @example web
         */
        HeaderValue: string;
        /**
         * @description Header names with their values. Two names that differ in case alone are refused.
         * @default {}
         * @example {
         *       "X-Forwarded-Team": "web"
         *     }
         */
        HeaderMap: {
            [key: string]: components["schemas"]["HeaderValue"];
        };
        /**
         * @description Header names. Two names that are equal or differ in case alone are refused.
         * @default []
         */
        HeaderNameList: components["schemas"]["HeaderName"][];
        /**
         * @description The provider that sends webhooks to this endpoint. It must be one of the supported
         *     providers; `sns` is AWS SNS. The list is the service's own (D19): it may refuse a provider
         *     that it does not support with the error `value`.
         * @example github
         * @example sns
         */
        WebhookProvider: string;
        /**
         * @description The traffic policy that is applied to traffic on the endpoint. Its form is outside this contract.
         * @example on_http_request: []
         */
        TrafficPolicyValue: string;
        /**
         * Format: re2
         * @description A regular expression in RE2 syntax. Text that is not one, such as `(` or one with
         *     look-around, is refused.
         * @example (?i)bot/[0-9]+
         */
        UserAgentExpression: string;
        /**
         * @description Regular expressions in RE2 syntax.
         * @default []
         */
        UserAgentExpressionList: components["schemas"]["UserAgentExpression"][];
        /**
         * @description Identifiers of the certificate authorities that validate the client certificate presented by
         *     the TLS initiator.
         * @default []
         */
        CertificateAuthorityIdList: components["schemas"]["ResourceId"][];
        /**
         * @description Identifiers of the IP policies that check whether a source IP may access the endpoint.
         * @default []
         */
        IPPolicyIdList: components["schemas"]["ResourceId"][];
        /**
         * Format: int64
         * @description Seconds to wait after the circuit trips before upstream health is evaluated again.
         * @default 10
         */
        TrippedDuration: number;
        /**
         * Format: int64
         * @description Seconds of the statistical rolling window for which metrics are retained.
         * @default 10
         */
        RollingWindow: number;
        /**
         * Format: int32
         * @description The number of buckets that metrics are retained in. At most 128.
         * @default 10
         */
        NumBuckets: number;
        /**
         * Format: int64
         * @description The number of requests in a rolling window that trips the circuit. Useful for low traffic volume.
         * @default 20
         */
        VolumeThreshold: number;
        /**
         * Format: double
         * @description The share of failed requests that trips the circuit, between 0 and 1.0 (not 0-100.0), so
         *     that 0.2 is 20 %. Both ends are allowed.
         * @default 0.5
         */
        ErrorThresholdPercentage: number;
        /**
         * @description When true, authentication is not enforced on HTTP `OPTIONS` requests (needed for CORS).
         * @default false
         */
        OptionsPassthrough: boolean;
        /**
         * @description The prefix of the session cookie that is set on the HTTP client to cache authentication. If
         *     omitted: a prefix of the service that ends in a period.
         * @example edge.
         */
        CookiePrefix: string;
        /**
         * Format: int64
         * @description Seconds of inactivity after which the session times out and the user must re-authenticate.
         *     0: there is no such limit.
         * @default 0
         */
        InactivityTimeout: number;
        /**
         * Format: int64
         * @description The maximum number of seconds of an authenticated session; after it the user must
         *     re-authenticate. 0: there is no such limit.
         * @default 0
         */
        MaximumDuration: number;
        /**
         * Format: int64
         * @description Seconds after which the service refreshes user state from the identity provider and rechecks
         *     authorization. It is the preferred setting for bounding how long a revoked user keeps
         *     access. 0: there is no such check.
         * @default 0
         */
        AuthCheckInterval: number;
        /**
         * @description The client ID of your own OAuth app. If null or omitted, an OAuth app that the service
         *     manages is used, with extra restrictions. If present, `client_secret` must be present too.
         * @example Iv1.8a61f9b3a7aba766
         */
        OAuthClientId: string | null;
        /**
         * Format: password
         * @description The client secret of your own OAuth app. Null or omitted without `client_id`.
         * @example correct-horse-battery-staple
         */
        OAuthClientSecret: string | null;
        /**
         * @description One OAuth scope.
         * @example read:user
         */
        OAuthScope: string;
        /**
         * @description Provider-specific OAuth scopes. They may be set only when both `client_id` and
         *     `client_secret` are given, not with the OAuth app that the service manages.
         * @default []
         */
        OAuthScopeList: components["schemas"]["OAuthScope"][];
        /**
         * @description An email address.
         * @example ada@example.com
         */
        EmailAddress: string;
        /**
         * @description Email addresses of authenticated users who are allowed access.
         * @default []
         */
        EmailAddressList: components["schemas"]["EmailAddress"][];
        /**
         * @description The part of an email address after the `@`.
         * @example example.com
         */
        EmailDomain: string;
        /**
         * @description Email domains of authenticated users who are allowed access.
         * @default []
         */
        EmailDomainList: components["schemas"]["EmailDomain"][];
        /**
         * @description A team identifier.
         * @example acme/web
         */
        GitHubTeam: string;
        /**
         * @description Team identifiers. A member of any of these teams is allowed access.
         * @default []
         */
        GitHubTeamList: components["schemas"]["GitHubTeam"][];
        /**
         * @description An organization slug.
         * @example acme
         */
        GitHubOrganization: string;
        /**
         * @description Organization slugs. Members of any of these organizations are allowed access.
         * @default []
         */
        GitHubOrganizationList: components["schemas"]["GitHubOrganization"][];
        /**
         * @description The full XML EntityDescriptor of the identity provider (IdP). It must be well-formed XML
         *     with that root element. A service may refuse a document type declaration; it never reads one
         *     and expands no entity (D26).
         * @example <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example.com"><IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.com/sso"/></IDPSSODescriptor></EntityDescriptor>
         */
        IdpMetadata: string;
        /**
         * @description When true, the IdP must prompt for credentials on every redirect, even if the user has an
         *     IdP session.
         * @default false
         */
        ForceAuthn: boolean;
        /**
         * @description When true, the IdP may start a login directly. It sets `RelayState` to the target URL.
         * @default false
         */
        AllowIdpInitiated: boolean;
        /** @description The name of a group. */
        GroupName: string;
        /**
         * @description When present and not empty, only members of one of these groups may access the endpoint. If
         *     omitted or `[]`, access is not restricted by group.
         * @default []
         */
        AuthorizedGroups: components["schemas"]["GroupName"][];
        /**
         * @description The name identifier format that is expected in assertions: a subset of the values of the
         *     SAML specification (D26).
         * @enum {string}
         */
        NameIdFormat: "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified" | "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress" | "urn:oasis:names:tc:SAML:1.1:nameid-format:X509SubjectName" | "urn:oasis:names:tc:SAML:1.1:nameid-format:WindowsDomainQualifiedName" | "urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos" | "urn:oasis:names:tc:SAML:2.0:nameid-format:entity" | "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent" | "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";
        /**
         * Format: uri
         * @description The URL of the OpenID provider, the base URL for discovery.
         * @example https://login.example.com
         */
        Issuer: string;
        /**
         * @description The client ID and audience of the OIDC app.
         * @example edge
         */
        ClientId: string;
        /**
         * Format: password
         * @description The client secret of the OIDC app. It may be null or omitted.
         * @example correct-horse-battery-staple
         */
        ClientSecret: string | null;
        /**
         * @description The scopes that are requested from the provider.
         * @default []
         */
        OIDCScopeList: string[];
        /** @description An HTTPS edge. Every property is always present. */
        HTTPSEdge: {
            /** @description The unique identifier of the edge. */
            id: components["schemas"]["ResourceId"];
            /** @description The purpose of the resource in words for people. At most 255 bytes of UTF-8. */
            description: components["schemas"]["Description"];
            /** @description Arbitrary machine-readable data that the user defines. At most 4,096 bytes of UTF-8. */
            metadata: components["schemas"]["Metadata"];
            /** @description The RFC 3339 time of creation, by the clock of the service. */
            created_at: components["schemas"]["CreatedAt"];
            /** @description The URI of the edge resource. */
            uri: components["schemas"]["Uri"];
            /** @description The hostports that the edge serves, in the order sent, without repeats. */
            hostports: components["schemas"]["HostportList"];
            /** @description If null, client certificates are not verified. */
            mutual_tls: components["schemas"]["EndpointMutualTLS"] | null;
            /** @description If null, the edge has no settings for TLS termination. */
            tls_termination: components["schemas"]["EndpointTLSTermination"] | null;
            /** @description The routes of the edge, in creation order. */
            routes: components["schemas"]["HTTPSEdgeRoute"][];
        };
        /** @description One page of edges. */
        HTTPSEdgeList: {
            /** @description The edges on this page, newest first. */
            https_edges: components["schemas"]["HTTPSEdge"][];
            /** @description The URI of this page. */
            uri: components["schemas"]["Uri"];
            /**
             * Format: uri
             * @description The absolute URI of the next page, or null if there is no next page.
             */
            next_page_uri: string | null;
        };
        /**
         * Format: uri
         * @description The absolute URI of the next page, or null if there is no next page.
         */
        NextPageUri: string | null;
        /** @description Verifies client certificates. */
        EndpointMutualTLS: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled: components["schemas"]["Enabled"];
            /**
             * @description The certificate authorities used to validate the TLS client certificate, in the order
             *     sent. They are PEM-encoded CA certificates; several may be concatenated.
             */
            certificate_authorities: components["schemas"]["RefList"];
        };
        /** @description TLS termination. `min_version` is null if `terminate_at` is `upstream`, else a version. */
        EndpointTLSTermination: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled: components["schemas"]["Enabled"];
            /**
             * @description `edge`: the service terminates TLS. `upstream`: TLS passes through to the upstream agent or
             *     application server for termination. With `upstream`, most other modules are disallowed
             *     because they need access to the underlying traffic (D09).
             */
            terminate_at: components["schemas"]["TerminateAt"];
            /**
             * @description The minimum TLS version that is used for termination and advertised to the client in the
             *     handshake. When it was not specified, it is the safe default that the service picked.
             */
            min_version: components["schemas"]["TLSVersion"] | null;
        };
        /** @description A reference to a resource that this API does not manage. */
        Ref: {
            /** @description The identifier of the resource. */
            id: components["schemas"]["ResourceId"];
            /** @description A URI for locating the resource. This API does not serve it. */
            uri: components["schemas"]["Uri"];
        };
        /** @description References, in the order in which their ids were sent. */
        RefList: components["schemas"]["Ref"][];
        /**
         * @description A new edge. No field is required. An edge that passes TLS through (`terminate_at: upstream`)
         *     takes no `mutual_tls` (D09).
         */
        HTTPSEdgeCreate: {
            /** @description The purpose of the resource in words for people. At most 255 bytes of UTF-8. `""` if null or omitted. */
            description?: components["schemas"]["DescriptionOrEmpty"];
            /**
             * @description Arbitrary machine-readable data that the user defines. At most 4,096 bytes of UTF-8. `""` if
             *     null or omitted.
             */
            metadata?: components["schemas"]["MetadataOrEmpty"];
            /** @description The hostports that the edge serves, in the order sent, without repeats. `[]` if null or omitted. */
            hostports?: components["schemas"]["HostportListOrEmpty"];
            /** @description If null or omitted, client certificates are not verified. */
            mutual_tls?: components["schemas"]["EndpointMutualTLSMutate"] | null;
            /** @description If null or omitted, the edge has no settings for TLS termination. */
            tls_termination?: components["schemas"]["EndpointTLSTerminationAtEdge"] | null;
        };
        /**
         * @description Changes to an edge. An omitted property stays as it is. Null resets a text or a list to its
         *     default and removes a module. Any other value replaces the old one whole.
         */
        HTTPSEdgeUpdate: {
            /** @description The purpose of the resource in words for people. At most 255 bytes of UTF-8. Null means `""`. */
            description?: components["schemas"]["DescriptionOrNull"];
            /** @description Arbitrary machine-readable data that the user defines. At most 4,096 bytes of UTF-8. Null means `""`. */
            metadata?: components["schemas"]["MetadataOrNull"];
            /** @description The hostports that the edge serves, in the order sent, without repeats. Null means `[]`. */
            hostports?: components["schemas"]["HostportListOrNull"];
            /** @description If null, client certificates are no longer verified. */
            mutual_tls?: components["schemas"]["EndpointMutualTLSMutate"] | null;
            /** @description If null, the settings for TLS termination are removed. */
            tls_termination?: components["schemas"]["EndpointTLSTerminationAtEdge"] | null;
        };
        /** @description Verifies client certificates. */
        EndpointMutualTLSMutate: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled?: components["schemas"]["Enabled"];
            /**
             * @description Identifiers of the certificate authorities that validate the client certificate presented by
             *     the TLS initiator.
             */
            certificate_authority_ids?: components["schemas"]["CertificateAuthorityIdList"];
        };
        /** @description TLS termination. With `terminate_at: upstream`, `min_version` must be null or omitted. */
        EndpointTLSTerminationAtEdge: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled?: components["schemas"]["Enabled"];
            /**
             * @description `edge`: the service terminates TLS. `upstream`: TLS passes through to the upstream agent or
             *     application server for termination. With `upstream`, most other modules are disallowed
             *     because they need access to the underlying traffic (D09).
             */
            terminate_at?: components["schemas"]["TerminateAt"];
            /**
             * @description The minimum TLS version used for termination and advertised to the client in the
             *     handshake. If null or omitted, the service picks a safe default, which the response
             *     shows.
             * @default null
             */
            min_version?: components["schemas"]["TLSVersion"] | null;
        };
        /** @description One route of an edge. Every property is always present; a module that is not set is null. */
        HTTPSEdgeRoute: {
            /** @description The identifier of the edge that owns the route. */
            edge_id: components["schemas"]["ResourceId"];
            /** @description The identifier of the route. */
            id: components["schemas"]["ResourceId"];
            /** @description The RFC 3339 time of creation, by the clock of the service. */
            created_at: components["schemas"]["CreatedAt"];
            /**
             * @description How `match` selects traffic. How paths are compared, and which of several matching routes
             *     takes a request, is outside this contract.
             */
            match_type: components["schemas"]["MatchType"];
            /**
             * @description The route selector: a path (`/api`), a host (`shop.example.com`, `*.example.com`,
             *     `[2001:db8::1]`), or a host followed by a path (`shop.example.com/api`). A path has no ASCII
             *     or Unicode white space, no ASCII control characters, no `?` and no `#`. Selectors are
             *     compared as text: two spellings of one path are two selectors.
             */
            match: components["schemas"]["Match"];
            /** @description The URI of the route resource. */
            uri: components["schemas"]["Uri"];
            /** @description The purpose of the resource in words for people. At most 255 bytes of UTF-8. */
            description: components["schemas"]["Description"];
            /** @description Arbitrary machine-readable data that the user defines. At most 4,096 bytes of UTF-8. */
            metadata: components["schemas"]["Metadata"];
            /** @description If null, the route has no backend. */
            backend: components["schemas"]["EndpointBackend"] | null;
            /** @description If null, access is not restricted by source IP. */
            ip_restriction: components["schemas"]["EndpointIPPolicy"] | null;
            /** @description If null, there is no circuit breaker. */
            circuit_breaker: components["schemas"]["EndpointCircuitBreaker"] | null;
            /** @description If null, responses are not compressed. */
            compression: components["schemas"]["EndpointCompression"] | null;
            /** @description If null, headers of requests are not changed. */
            request_headers: components["schemas"]["EndpointRequestHeaders"] | null;
            /** @description If null, headers of responses are not changed. */
            response_headers: components["schemas"]["EndpointResponseHeaders"] | null;
            /** @description If null, signatures of webhooks are not verified. */
            webhook_verification: components["schemas"]["EndpointWebhookValidation"] | null;
            /** @description If null, no sign-in by OAuth is required. */
            oauth: components["schemas"]["EndpointOAuth"] | null;
            /** @description If null, no sign-in by SAML is required. */
            saml: components["schemas"]["EndpointSAML"] | null;
            /** @description If null, no sign-in by OpenID Connect is required. */
            oidc: components["schemas"]["EndpointOIDC"] | null;
            /** @description If null, WebSocket connections are not converted. */
            websocket_tcp_converter: components["schemas"]["EndpointWebsocketTCPConverter"] | null;
            /** @description If null, access is not restricted by user agent. */
            user_agent_filter: components["schemas"]["EndpointUserAgentFilter"] | null;
            /** @description If null, no traffic policy is applied. */
            traffic_policy: components["schemas"]["EndpointTrafficPolicy"] | null;
        };
        /** @description The backend that serves the endpoint. */
        EndpointBackend: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled: components["schemas"]["Enabled"];
            /** @description A reference to a resource that this API does not manage. */
            backend: components["schemas"]["Ref"];
        };
        /** @description The IP policies that check whether a source IP may access the endpoint. */
        EndpointIPPolicy: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled: components["schemas"]["Enabled"];
            /** @description References, in the order in which their ids were sent. */
            ip_policies: components["schemas"]["RefList"];
        };
        /** @description Stops sending traffic to an upstream that fails. */
        EndpointCircuitBreaker: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled: components["schemas"]["Enabled"];
            /** @description Seconds to wait after the circuit trips before upstream health is evaluated again. */
            tripped_duration: components["schemas"]["TrippedDuration"];
            /** @description Seconds of the statistical rolling window for which metrics are retained. */
            rolling_window: components["schemas"]["RollingWindow"];
            /** @description The number of buckets that metrics are retained in. At most 128. */
            num_buckets: components["schemas"]["NumBuckets"];
            /** @description The number of requests in a rolling window that trips the circuit. Useful for low traffic volume. */
            volume_threshold: components["schemas"]["VolumeThreshold"];
            /**
             * @description The share of failed requests that trips the circuit, between 0 and 1.0 (not 0-100.0), so
             *     that 0.2 is 20 %. Both ends are allowed.
             */
            error_threshold_percentage: components["schemas"]["ErrorThresholdPercentage"];
        };
        /** @description Compresses responses. */
        EndpointCompression: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled: components["schemas"]["Enabled"];
        };
        /** @description Changes the headers of requests before they go upstream. */
        EndpointRequestHeaders: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled: components["schemas"]["Enabled"];
            /** @description Header names and values that are injected into the request before it goes upstream. */
            add: components["schemas"]["HeaderMap"];
            /** @description Header names that are removed from the request before it goes upstream, before `add` is applied. */
            remove: components["schemas"]["HeaderNameList"];
        };
        /** @description Changes the headers of responses before they go to the client. */
        EndpointResponseHeaders: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled: components["schemas"]["Enabled"];
            /** @description Header names and values that are injected into the response returned to the client. */
            add: components["schemas"]["HeaderMap"];
            /** @description Header names that are removed from that response, before `add` is applied. */
            remove: components["schemas"]["HeaderNameList"];
        };
        /** @description Accepts only requests that the webhook provider signed. */
        EndpointWebhookValidation: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled: components["schemas"]["Enabled"];
            /**
             * @description The provider that sends webhooks to this endpoint. It must be one of the supported
             *     providers; `sns` is AWS SNS. The list is the service's own (D19): it may refuse a provider
             *     that it does not support with the error `value`.
             */
            provider: components["schemas"]["WebhookProvider"];
            /**
             * @description The secret that validates requests from the provider. Required for all providers except
             *     `sns`, where it may be null or omitted (D19).
             */
            secret: components["schemas"]["Secret"];
        };
        /** @description The websocket-to-TCP adapter. It converts WebSocket connections to TCP. */
        EndpointWebsocketTCPConverter: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled: components["schemas"]["Enabled"];
        };
        /** @description Allows or denies clients by user agent. How the service matches is outside this contract. */
        EndpointUserAgentFilter: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled: components["schemas"]["Enabled"];
            /** @description Regular expressions in RE2 syntax. */
            allow: components["schemas"]["UserAgentExpressionList"];
            /** @description Regular expressions in RE2 syntax. */
            deny: components["schemas"]["UserAgentExpressionList"];
        };
        /** @description The traffic policy associated with the route. */
        EndpointTrafficPolicy: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled: components["schemas"]["Enabled"];
            /** @description The traffic policy that is applied to traffic on the endpoint. Its form is outside this contract. */
            value: components["schemas"]["TrafficPolicyValue"];
        };
        /** @description Requires sign-in with an OAuth identity provider. */
        EndpointOAuth: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled: components["schemas"]["Enabled"];
            /** @description When true, authentication is not enforced on HTTP `OPTIONS` requests (needed for CORS). */
            options_passthrough: components["schemas"]["OptionsPassthrough"];
            /**
             * @description The prefix of the session cookie that is set on the HTTP client to cache authentication. If
             *     omitted: a prefix of the service that ends in a period.
             */
            cookie_prefix: components["schemas"]["CookiePrefix"];
            /**
             * @description Seconds of inactivity after which the session times out and the user must re-authenticate.
             *     0: there is no such limit.
             */
            inactivity_timeout: components["schemas"]["InactivityTimeout"];
            /**
             * @description The maximum number of seconds of an authenticated session; after it the user must
             *     re-authenticate. 0: there is no such limit.
             */
            maximum_duration: components["schemas"]["MaximumDuration"];
            /**
             * @description Seconds after which the service refreshes user state from the identity provider and rechecks
             *     authorization. It is the preferred setting for bounding how long a revoked user keeps
             *     access. 0: there is no such check.
             */
            auth_check_interval: components["schemas"]["AuthCheckInterval"];
            /**
             * @description The identity provider and who may access the endpoint. Exactly one provider is not null.
             *     Which of several lists lets a user in, and what empty lists mean, is decided by the service
             *     that handles the traffic.
             */
            provider: components["schemas"]["EndpointOAuthProvider"];
        };
        /**
         * @description The identity provider and who may access the endpoint. Exactly one provider is not null.
         *     Which of several lists lets a user in, and what empty lists mean, is decided by the service
         *     that handles the traffic.
         */
        EndpointOAuthProvider: {
            /**
             * @description Sign-in with GitHub. `client_id` and `client_secret` are both set or both null. Without
             *     them, `scopes` is empty.
             */
            github: components["schemas"]["EndpointOAuthGitHub"] | null;
            /**
             * @description Sign-in with any provider but GitHub. `client_id` and `client_secret` are both set or both
             *     null. Without them, `scopes` is empty.
             */
            facebook: components["schemas"]["EndpointOAuthBasic"] | null;
            /**
             * @description Sign-in with any provider but GitHub. `client_id` and `client_secret` are both set or both
             *     null. Without them, `scopes` is empty.
             */
            microsoft: components["schemas"]["EndpointOAuthBasic"] | null;
            /**
             * @description Sign-in with any provider but GitHub. `client_id` and `client_secret` are both set or both
             *     null. Without them, `scopes` is empty.
             */
            google: components["schemas"]["EndpointOAuthBasic"] | null;
            /**
             * @description Sign-in with any provider but GitHub. `client_id` and `client_secret` are both set or both
             *     null. Without them, `scopes` is empty.
             */
            linkedin: components["schemas"]["EndpointOAuthBasic"] | null;
            /**
             * @description Sign-in with any provider but GitHub. `client_id` and `client_secret` are both set or both
             *     null. Without them, `scopes` is empty.
             */
            gitlab: components["schemas"]["EndpointOAuthBasic"] | null;
            /**
             * @description Sign-in with any provider but GitHub. `client_id` and `client_secret` are both set or both
             *     null. Without them, `scopes` is empty.
             */
            twitch: components["schemas"]["EndpointOAuthBasic"] | null;
            /**
             * @description Sign-in with any provider but GitHub. `client_id` and `client_secret` are both set or both
             *     null. Without them, `scopes` is empty.
             */
            amazon: components["schemas"]["EndpointOAuthBasic"] | null;
        };
        /**
         * @description Sign-in with GitHub. `client_id` and `client_secret` are both set or both null. Without
         *     them, `scopes` is empty.
         */
        EndpointOAuthGitHub: {
            /**
             * @description The client ID of your own OAuth app. If null or omitted, an OAuth app that the service
             *     manages is used, with extra restrictions. If present, `client_secret` must be present too.
             */
            client_id: components["schemas"]["OAuthClientId"];
            /** @description The client secret of your own OAuth app. Null or omitted without `client_id`. */
            client_secret: components["schemas"]["OAuthClientSecret"];
            /**
             * @description Provider-specific OAuth scopes. They may be set only when both `client_id` and
             *     `client_secret` are given, not with the OAuth app that the service manages.
             */
            scopes: components["schemas"]["OAuthScopeList"];
            /** @description Email addresses of authenticated users who are allowed access. */
            email_addresses: components["schemas"]["EmailAddressList"];
            /** @description Email domains of authenticated users who are allowed access. */
            email_domains: components["schemas"]["EmailDomainList"];
            /** @description Team identifiers. A member of any of these teams is allowed access. */
            teams: components["schemas"]["GitHubTeamList"];
            /** @description Organization slugs. Members of any of these organizations are allowed access. */
            organizations: components["schemas"]["GitHubOrganizationList"];
        };
        /**
         * @description Sign-in with any provider but GitHub. `client_id` and `client_secret` are both set or both
         *     null. Without them, `scopes` is empty.
         */
        EndpointOAuthBasic: {
            /**
             * @description The client ID of your own OAuth app. If null or omitted, an OAuth app that the service
             *     manages is used, with extra restrictions. If present, `client_secret` must be present too.
             */
            client_id: components["schemas"]["OAuthClientId"];
            /** @description The client secret of your own OAuth app. Null or omitted without `client_id`. */
            client_secret: components["schemas"]["OAuthClientSecret"];
            /**
             * @description Provider-specific OAuth scopes. They may be set only when both `client_id` and
             *     `client_secret` are given, not with the OAuth app that the service manages.
             */
            scopes: components["schemas"]["OAuthScopeList"];
            /** @description Email addresses of authenticated users who are allowed access. */
            email_addresses: components["schemas"]["EmailAddressList"];
            /** @description Email domains of authenticated users who are allowed access. */
            email_domains: components["schemas"]["EmailDomainList"];
        };
        /**
         * @description Requires sign-in with a SAML identity provider. The service supplies `entity_id`,
         *     `metadata_url`, the other two URLs and the certificate (D26).
         */
        EndpointSAML: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled: components["schemas"]["Enabled"];
            /** @description When true, authentication is not enforced on HTTP `OPTIONS` requests (needed for CORS). */
            options_passthrough: components["schemas"]["OptionsPassthrough"];
            /**
             * @description The prefix of the session cookie that is set on the HTTP client to cache authentication. If
             *     omitted: a prefix of the service that ends in a period.
             */
            cookie_prefix: components["schemas"]["CookiePrefix"];
            /**
             * @description Seconds of inactivity after which the session times out and the user must re-authenticate.
             *     0: there is no such limit.
             */
            inactivity_timeout: components["schemas"]["InactivityTimeout"];
            /**
             * @description The maximum number of seconds of an authenticated session; after it the user must
             *     re-authenticate. 0: there is no such limit.
             */
            maximum_duration: components["schemas"]["MaximumDuration"];
            /**
             * @description The full XML EntityDescriptor of the identity provider (IdP). It must be well-formed XML
             *     with that root element. A service may refuse a document type declaration; it never reads one
             *     and expands no entity (D26).
             */
            idp_metadata: components["schemas"]["IdpMetadata"];
            /**
             * @description When true, the IdP must prompt for credentials on every redirect, even if the user has an
             *     IdP session.
             */
            force_authn: components["schemas"]["ForceAuthn"];
            /** @description When true, the IdP may start a login directly. It sets `RelayState` to the target URL. */
            allow_idp_initiated: components["schemas"]["AllowIdpInitiated"];
            /**
             * @description When present and not empty, only members of one of these groups may access the endpoint. If
             *     omitted or `[]`, access is not restricted by group.
             */
            authorized_groups: components["schemas"]["AuthorizedGroups"];
            /**
             * @description The unique ID of the service provider (SP): always a URL, equal to `metadata_url`. It is
             *     given to the IdP as configuration.
             */
            entity_id: components["schemas"]["Uri"];
            /** @description The public URL of the Assertion Consumer Service of the SP. It is given to the IdP. */
            assertion_consumer_service_url: components["schemas"]["Uri"];
            /** @description The public URL of the Single Logout Service of the SP. It is optionally given to the IdP. */
            single_logout_url: components["schemas"]["Uri"];
            /** @description The PEM-encoded X.509 certificate of the key pair that signs SAML requests to the IdP. */
            request_signing_certificate_pem: string;
            /**
             * @description The public URL where the SP metadata is hosted. `GET` of it needs no token and responds
             *     with an EntityDescriptor as `application/samlmetadata+xml` (D26).
             */
            metadata_url: components["schemas"]["Uri"];
            /**
             * @description The name identifier format that is expected in assertions: a subset of the values of the
             *     SAML specification (D26).
             */
            nameid_format: components["schemas"]["NameIdFormat"];
        };
        /** @description Requires sign-in with an OpenID Connect provider. */
        EndpointOIDC: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled: components["schemas"]["Enabled"];
            /** @description When true, authentication is not enforced on HTTP `OPTIONS` requests (needed for CORS). */
            options_passthrough: components["schemas"]["OptionsPassthrough"];
            /**
             * @description The prefix of the session cookie that is set on the HTTP client to cache authentication. If
             *     omitted: a prefix of the service that ends in a period.
             */
            cookie_prefix: components["schemas"]["CookiePrefix"];
            /**
             * @description Seconds of inactivity after which the session times out and the user must re-authenticate.
             *     0: there is no such limit.
             */
            inactivity_timeout: components["schemas"]["InactivityTimeout"];
            /**
             * @description The maximum number of seconds of an authenticated session; after it the user must
             *     re-authenticate. 0: there is no such limit.
             */
            maximum_duration: components["schemas"]["MaximumDuration"];
            /** @description The URL of the OpenID provider, the base URL for discovery. */
            issuer: components["schemas"]["Issuer"];
            /** @description The client ID and audience of the OIDC app. */
            client_id: components["schemas"]["ClientId"];
            /** @description The client secret of the OIDC app. It may be null or omitted. */
            client_secret: components["schemas"]["ClientSecret"];
            /** @description The scopes that are requested from the provider. */
            scopes: components["schemas"]["OIDCScopeList"];
        };
        /**
         * @description A new route. `match_type` and `match` are required; every module can be set at once. A
         *     module that is null or omitted is not set: without `ip_restriction` and `user_agent_filter`,
         *     access is not restricted by them; without `oauth`, `saml` and `oidc`, no sign-in is
         *     required. At most one of these three is enabled (D21).
         */
        HTTPSEdgeRouteCreate: {
            /**
             * @description How `match` selects traffic. How paths are compared, and which of several matching routes
             *     takes a request, is outside this contract.
             */
            match_type: components["schemas"]["MatchType"];
            /**
             * @description The route selector: a path (`/api`), a host (`shop.example.com`, `*.example.com`,
             *     `[2001:db8::1]`), or a host followed by a path (`shop.example.com/api`). A path has no ASCII
             *     or Unicode white space, no ASCII control characters, no `?` and no `#`. Selectors are
             *     compared as text: two spellings of one path are two selectors.
             */
            match: components["schemas"]["Match"];
            /** @description The purpose of the resource in words for people. At most 255 bytes of UTF-8. `""` if null or omitted. */
            description?: components["schemas"]["DescriptionOrEmpty"];
            /**
             * @description Arbitrary machine-readable data that the user defines. At most 4,096 bytes of UTF-8. `""` if
             *     null or omitted.
             */
            metadata?: components["schemas"]["MetadataOrEmpty"];
            /** @description The backend that serves the endpoint. */
            backend?: components["schemas"]["EndpointBackendMutate"] | null;
            /** @description The IP policies that check whether a source IP may access the endpoint. */
            ip_restriction?: components["schemas"]["EndpointIPPolicyMutate"] | null;
            /** @description Stops sending traffic to an upstream that fails. */
            circuit_breaker?: components["schemas"]["EndpointCircuitBreakerMutate"] | null;
            /** @description Compresses responses. */
            compression?: components["schemas"]["EndpointCompressionMutate"] | null;
            /** @description Changes the headers of requests before they go upstream. */
            request_headers?: components["schemas"]["EndpointRequestHeadersMutate"] | null;
            /** @description Changes the headers of responses before they go to the client. */
            response_headers?: components["schemas"]["EndpointResponseHeadersMutate"] | null;
            /** @description Accepts only requests that the webhook provider signed. */
            webhook_verification?: components["schemas"]["EndpointWebhookValidationMutate"] | null;
            /** @description Requires sign-in with an OAuth identity provider. */
            oauth?: components["schemas"]["EndpointOAuthMutate"] | null;
            /** @description Requires sign-in with a SAML identity provider. */
            saml?: components["schemas"]["EndpointSAMLMutate"] | null;
            /** @description Requires sign-in with an OpenID Connect provider. */
            oidc?: components["schemas"]["EndpointOIDCMutate"] | null;
            /** @description The websocket-to-TCP adapter. It converts WebSocket connections to TCP. */
            websocket_tcp_converter?: components["schemas"]["EndpointWebsocketTCPConverterMutate"] | null;
            /** @description Allows or denies clients by user agent. How the service matches is outside this contract. */
            user_agent_filter?: components["schemas"]["EndpointUserAgentFilterMutate"] | null;
            /** @description The traffic policy associated with the route. */
            traffic_policy?: components["schemas"]["EndpointTrafficPolicyMutate"] | null;
        };
        /**
         * @description Changes to a route. An omitted property stays as it is. Null resets a text to `""` and
         *     removes a module. Any other value replaces the old one whole. At most one of `oauth`, `saml`
         *     and `oidc` is enabled (D21).
         */
        HTTPSEdgeRouteUpdate: {
            /**
             * @description How `match` selects traffic. How paths are compared, and which of several matching routes
             *     takes a request, is outside this contract.
             */
            match_type?: components["schemas"]["MatchType"];
            /**
             * @description The route selector: a path (`/api`), a host (`shop.example.com`, `*.example.com`,
             *     `[2001:db8::1]`), or a host followed by a path (`shop.example.com/api`). A path has no ASCII
             *     or Unicode white space, no ASCII control characters, no `?` and no `#`. Selectors are
             *     compared as text: two spellings of one path are two selectors.
             */
            match?: components["schemas"]["Match"];
            /** @description The purpose of the resource in words for people. At most 255 bytes of UTF-8. Null means `""`. */
            description?: components["schemas"]["DescriptionOrNull"];
            /** @description Arbitrary machine-readable data that the user defines. At most 4,096 bytes of UTF-8. Null means `""`. */
            metadata?: components["schemas"]["MetadataOrNull"];
            /** @description The backend that serves the endpoint. */
            backend?: components["schemas"]["EndpointBackendMutate"] | null;
            /** @description The IP policies that check whether a source IP may access the endpoint. */
            ip_restriction?: components["schemas"]["EndpointIPPolicyMutate"] | null;
            /** @description Stops sending traffic to an upstream that fails. */
            circuit_breaker?: components["schemas"]["EndpointCircuitBreakerMutate"] | null;
            /** @description Compresses responses. */
            compression?: components["schemas"]["EndpointCompressionMutate"] | null;
            /** @description Changes the headers of requests before they go upstream. */
            request_headers?: components["schemas"]["EndpointRequestHeadersMutate"] | null;
            /** @description Changes the headers of responses before they go to the client. */
            response_headers?: components["schemas"]["EndpointResponseHeadersMutate"] | null;
            /** @description Accepts only requests that the webhook provider signed. */
            webhook_verification?: components["schemas"]["EndpointWebhookValidationMutate"] | null;
            /** @description Requires sign-in with an OAuth identity provider. */
            oauth?: components["schemas"]["EndpointOAuthMutate"] | null;
            /** @description Requires sign-in with a SAML identity provider. */
            saml?: components["schemas"]["EndpointSAMLMutate"] | null;
            /** @description Requires sign-in with an OpenID Connect provider. */
            oidc?: components["schemas"]["EndpointOIDCMutate"] | null;
            /** @description The websocket-to-TCP adapter. It converts WebSocket connections to TCP. */
            websocket_tcp_converter?: components["schemas"]["EndpointWebsocketTCPConverterMutate"] | null;
            /** @description Allows or denies clients by user agent. How the service matches is outside this contract. */
            user_agent_filter?: components["schemas"]["EndpointUserAgentFilterMutate"] | null;
            /** @description The traffic policy associated with the route. */
            traffic_policy?: components["schemas"]["EndpointTrafficPolicyMutate"] | null;
        };
        /** @description The backend that serves the endpoint. */
        EndpointBackendMutate: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled?: components["schemas"]["Enabled"];
            /** @description The identifier of the backend. */
            backend_id: components["schemas"]["ResourceId"];
        };
        /** @description The IP policies that check whether a source IP may access the endpoint. */
        EndpointIPPolicyMutate: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled?: components["schemas"]["Enabled"];
            /** @description Identifiers of the IP policies that check whether a source IP may access the endpoint. */
            ip_policy_ids?: components["schemas"]["IPPolicyIdList"];
        };
        /** @description Stops sending traffic to an upstream that fails. */
        EndpointCircuitBreakerMutate: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled?: components["schemas"]["Enabled"];
            /** @description Seconds to wait after the circuit trips before upstream health is evaluated again. */
            tripped_duration?: components["schemas"]["TrippedDuration"];
            /** @description Seconds of the statistical rolling window for which metrics are retained. */
            rolling_window?: components["schemas"]["RollingWindow"];
            /** @description The number of buckets that metrics are retained in. At most 128. */
            num_buckets?: components["schemas"]["NumBuckets"];
            /** @description The number of requests in a rolling window that trips the circuit. Useful for low traffic volume. */
            volume_threshold?: components["schemas"]["VolumeThreshold"];
            /**
             * @description The share of failed requests that trips the circuit, between 0 and 1.0 (not 0-100.0), so
             *     that 0.2 is 20 %. Both ends are allowed.
             */
            error_threshold_percentage?: components["schemas"]["ErrorThresholdPercentage"];
        };
        /** @description Compresses responses. */
        EndpointCompressionMutate: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled?: components["schemas"]["Enabled"];
        };
        /** @description Changes the headers of requests before they go upstream. */
        EndpointRequestHeadersMutate: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled?: components["schemas"]["Enabled"];
            /** @description Header names and values that are injected into the request before it goes upstream. */
            add?: components["schemas"]["HeaderMap"];
            /** @description Header names that are removed from the request before it goes upstream, before `add` is applied. */
            remove?: components["schemas"]["HeaderNameList"];
        };
        /** @description Changes the headers of responses before they go to the client. */
        EndpointResponseHeadersMutate: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled?: components["schemas"]["Enabled"];
            /** @description Header names and values that are injected into the response returned to the client. */
            add?: components["schemas"]["HeaderMap"];
            /** @description Header names that are removed from that response, before `add` is applied. */
            remove?: components["schemas"]["HeaderNameList"];
        };
        /** @description Accepts only requests that the webhook provider signed. */
        EndpointWebhookValidationMutate: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled?: components["schemas"]["Enabled"];
            /**
             * @description The provider that sends webhooks to this endpoint. It must be one of the supported
             *     providers; `sns` is AWS SNS. The list is the service's own (D19): it may refuse a provider
             *     that it does not support with the error `value`.
             */
            provider: components["schemas"]["WebhookProvider"];
            /**
             * @description The secret that validates requests from the provider. Required for all providers except
             *     `sns`, where it may be null or omitted (D19).
             */
            secret?: components["schemas"]["Secret"];
        };
        /** @description Requires sign-in with an OAuth identity provider. */
        EndpointOAuthMutate: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled?: components["schemas"]["Enabled"];
            /** @description When true, authentication is not enforced on HTTP `OPTIONS` requests (needed for CORS). */
            options_passthrough?: components["schemas"]["OptionsPassthrough"];
            /**
             * @description The prefix of the session cookie that is set on the HTTP client to cache authentication. If
             *     omitted: a prefix of the service that ends in a period.
             */
            cookie_prefix?: components["schemas"]["CookiePrefix"];
            /**
             * @description Seconds of inactivity after which the session times out and the user must re-authenticate.
             *     0: there is no such limit.
             */
            inactivity_timeout?: components["schemas"]["InactivityTimeout"];
            /**
             * @description The maximum number of seconds of an authenticated session; after it the user must
             *     re-authenticate. 0: there is no such limit.
             */
            maximum_duration?: components["schemas"]["MaximumDuration"];
            /**
             * @description Seconds after which the service refreshes user state from the identity provider and rechecks
             *     authorization. It is the preferred setting for bounding how long a revoked user keeps
             *     access. 0: there is no such check.
             */
            auth_check_interval?: components["schemas"]["AuthCheckInterval"];
            /**
             * @description The identity provider and who may access the endpoint. Exactly one provider is not null.
             *     Which of several lists lets a user in, and what empty lists mean, is decided by the service
             *     that handles the traffic.
             */
            provider: components["schemas"]["EndpointOAuthProviderMutate"];
        };
        /**
         * @description The identity provider and who may access the endpoint. Exactly one provider is not null.
         *     Which of several lists lets a user in, and what empty lists mean, is decided by the service
         *     that handles the traffic.
         */
        EndpointOAuthProviderMutate: {
            /**
             * @description Sign-in with GitHub. `client_id` and `client_secret` are given together or not at all;
             *     `scopes` needs both.
             */
            github?: components["schemas"]["EndpointOAuthGitHubMutate"] | null;
            /**
             * @description Sign-in with any provider but GitHub. `client_id` and `client_secret` are given together or
             *     not at all; `scopes` needs both.
             */
            facebook?: components["schemas"]["EndpointOAuthBasicMutate"] | null;
            /**
             * @description Sign-in with any provider but GitHub. `client_id` and `client_secret` are given together or
             *     not at all; `scopes` needs both.
             */
            microsoft?: components["schemas"]["EndpointOAuthBasicMutate"] | null;
            /**
             * @description Sign-in with any provider but GitHub. `client_id` and `client_secret` are given together or
             *     not at all; `scopes` needs both.
             */
            google?: components["schemas"]["EndpointOAuthBasicMutate"] | null;
            /**
             * @description Sign-in with any provider but GitHub. `client_id` and `client_secret` are given together or
             *     not at all; `scopes` needs both.
             */
            linkedin?: components["schemas"]["EndpointOAuthBasicMutate"] | null;
            /**
             * @description Sign-in with any provider but GitHub. `client_id` and `client_secret` are given together or
             *     not at all; `scopes` needs both.
             */
            gitlab?: components["schemas"]["EndpointOAuthBasicMutate"] | null;
            /**
             * @description Sign-in with any provider but GitHub. `client_id` and `client_secret` are given together or
             *     not at all; `scopes` needs both.
             */
            twitch?: components["schemas"]["EndpointOAuthBasicMutate"] | null;
            /**
             * @description Sign-in with any provider but GitHub. `client_id` and `client_secret` are given together or
             *     not at all; `scopes` needs both.
             */
            amazon?: components["schemas"]["EndpointOAuthBasicMutate"] | null;
        };
        /**
         * @description Sign-in with GitHub. `client_id` and `client_secret` are given together or not at all;
         *     `scopes` needs both.
         */
        EndpointOAuthGitHubMutate: {
            /**
             * @description The client ID of your own OAuth app. If null or omitted, an OAuth app that the service
             *     manages is used, with extra restrictions. If present, `client_secret` must be present too.
             */
            client_id?: components["schemas"]["OAuthClientId"];
            /** @description The client secret of your own OAuth app. Null or omitted without `client_id`. */
            client_secret?: components["schemas"]["OAuthClientSecret"];
            /**
             * @description Provider-specific OAuth scopes. They may be set only when both `client_id` and
             *     `client_secret` are given, not with the OAuth app that the service manages.
             */
            scopes?: components["schemas"]["OAuthScopeList"];
            /** @description Email addresses of authenticated users who are allowed access. */
            email_addresses?: components["schemas"]["EmailAddressList"];
            /** @description Email domains of authenticated users who are allowed access. */
            email_domains?: components["schemas"]["EmailDomainList"];
            /** @description Team identifiers. A member of any of these teams is allowed access. */
            teams?: components["schemas"]["GitHubTeamList"];
            /** @description Organization slugs. Members of any of these organizations are allowed access. */
            organizations?: components["schemas"]["GitHubOrganizationList"];
        };
        /**
         * @description Sign-in with any provider but GitHub. `client_id` and `client_secret` are given together or
         *     not at all; `scopes` needs both.
         */
        EndpointOAuthBasicMutate: {
            /**
             * @description The client ID of your own OAuth app. If null or omitted, an OAuth app that the service
             *     manages is used, with extra restrictions. If present, `client_secret` must be present too.
             */
            client_id?: components["schemas"]["OAuthClientId"];
            /** @description The client secret of your own OAuth app. Null or omitted without `client_id`. */
            client_secret?: components["schemas"]["OAuthClientSecret"];
            /**
             * @description Provider-specific OAuth scopes. They may be set only when both `client_id` and
             *     `client_secret` are given, not with the OAuth app that the service manages.
             */
            scopes?: components["schemas"]["OAuthScopeList"];
            /** @description Email addresses of authenticated users who are allowed access. */
            email_addresses?: components["schemas"]["EmailAddressList"];
            /** @description Email domains of authenticated users who are allowed access. */
            email_domains?: components["schemas"]["EmailDomainList"];
        };
        /** @description Requires sign-in with a SAML identity provider. */
        EndpointSAMLMutate: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled?: components["schemas"]["Enabled"];
            /** @description When true, authentication is not enforced on HTTP `OPTIONS` requests (needed for CORS). */
            options_passthrough?: components["schemas"]["OptionsPassthrough"];
            /**
             * @description The prefix of the session cookie that is set on the HTTP client to cache authentication. If
             *     omitted: a prefix of the service that ends in a period.
             */
            cookie_prefix?: components["schemas"]["CookiePrefix"];
            /**
             * @description Seconds of inactivity after which the session times out and the user must re-authenticate.
             *     0: there is no such limit.
             */
            inactivity_timeout?: components["schemas"]["InactivityTimeout"];
            /**
             * @description The maximum number of seconds of an authenticated session; after it the user must
             *     re-authenticate. 0: there is no such limit.
             */
            maximum_duration?: components["schemas"]["MaximumDuration"];
            /**
             * @description The full XML EntityDescriptor of the identity provider (IdP). It must be well-formed XML
             *     with that root element. A service may refuse a document type declaration; it never reads one
             *     and expands no entity (D26).
             */
            idp_metadata: components["schemas"]["IdpMetadata"];
            /**
             * @description When true, the IdP must prompt for credentials on every redirect, even if the user has an
             *     IdP session.
             */
            force_authn?: components["schemas"]["ForceAuthn"];
            /** @description When true, the IdP may start a login directly. It sets `RelayState` to the target URL. */
            allow_idp_initiated?: components["schemas"]["AllowIdpInitiated"];
            /**
             * @description When present and not empty, only members of one of these groups may access the endpoint. If
             *     omitted or `[]`, access is not restricted by group.
             */
            authorized_groups?: components["schemas"]["AuthorizedGroups"];
            /**
             * @description The name identifier format that is expected in assertions: a subset of the values of the
             *     SAML specification (D26).
             * @default urn:oasis:names:tc:SAML:2.0:nameid-format:persistent
             */
            nameid_format?: components["schemas"]["NameIdFormat"];
        };
        /** @description Requires sign-in with an OpenID Connect provider. */
        EndpointOIDCMutate: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled?: components["schemas"]["Enabled"];
            /** @description When true, authentication is not enforced on HTTP `OPTIONS` requests (needed for CORS). */
            options_passthrough?: components["schemas"]["OptionsPassthrough"];
            /**
             * @description The prefix of the session cookie that is set on the HTTP client to cache authentication. If
             *     omitted: a prefix of the service that ends in a period.
             */
            cookie_prefix?: components["schemas"]["CookiePrefix"];
            /**
             * @description Seconds of inactivity after which the session times out and the user must re-authenticate.
             *     0: there is no such limit.
             */
            inactivity_timeout?: components["schemas"]["InactivityTimeout"];
            /**
             * @description The maximum number of seconds of an authenticated session; after it the user must
             *     re-authenticate. 0: there is no such limit.
             */
            maximum_duration?: components["schemas"]["MaximumDuration"];
            /** @description The URL of the OpenID provider, the base URL for discovery. */
            issuer: components["schemas"]["Issuer"];
            /** @description The client ID and audience of the OIDC app. */
            client_id: components["schemas"]["ClientId"];
            /** @description The client secret of the OIDC app. It may be null or omitted. */
            client_secret?: components["schemas"]["ClientSecret"];
            /** @description The scopes that are requested from the provider. */
            scopes?: components["schemas"]["OIDCScopeList"];
        };
        /** @description The websocket-to-TCP adapter. It converts WebSocket connections to TCP. */
        EndpointWebsocketTCPConverterMutate: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled?: components["schemas"]["Enabled"];
        };
        /** @description Allows or denies clients by user agent. How the service matches is outside this contract. */
        EndpointUserAgentFilterMutate: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled?: components["schemas"]["Enabled"];
            /** @description Regular expressions in RE2 syntax. */
            allow?: components["schemas"]["UserAgentExpressionList"];
            /** @description Regular expressions in RE2 syntax. */
            deny?: components["schemas"]["UserAgentExpressionList"];
        };
        /** @description The traffic policy associated with the route. */
        EndpointTrafficPolicyMutate: {
            /** @description True if the module is applied to traffic, false to disable it. True if omitted. */
            enabled?: components["schemas"]["Enabled"];
            /** @description The traffic policy that is applied to traffic on the endpoint. Its form is outside this contract. */
            value: components["schemas"]["TrafficPolicyValue"];
        };
        /** @description The event type to add. */
        EventSourceCreate: {
            /**
             * @description The event type for which the event subscription triggers: a name with a version, such as
             *     `ip_policy_created.v0` or `http_request_complete.v0`. The list of types is open and outside
             *     this contract.
             */
            type: components["schemas"]["EventType"];
        };
        /** @description The new event type. If omitted, nothing changes (D12). */
        EventSourceUpdate: {
            /**
             * @description The event type for which the event subscription triggers: a name with a version, such as
             *     `ip_policy_created.v0` or `http_request_complete.v0`. The list of types is open and outside
             *     this contract.
             */
            type?: components["schemas"]["EventType"];
        };
        /** @description One event type for which the event subscription triggers. */
        EventSource: {
            /**
             * @description The event type for which the event subscription triggers: a name with a version, such as
             *     `ip_policy_created.v0` or `http_request_complete.v0`. The list of types is open and outside
             *     this contract.
             */
            type: components["schemas"]["EventType"];
            /** @description The URI of the event source resource. */
            uri: components["schemas"]["Uri"];
        };
        /** @description One page of event sources. */
        EventSourceList: {
            /** @description The sources on this page, in ascending order of `type` in ASCII. */
            sources: components["schemas"]["EventSource"][];
            /** @description The absolute URI of the next page, or null if there is no next page. */
            uri: components["schemas"]["NextPageUri"];
        };
        /**
         * @description Why a request was refused (RFC 9457). Program against `code` and `errors`; `title` and
         *     `detail` are for people and may change.
         */
        Problem: {
            /**
             * Format: uri-reference
             * @description A URI that names the kind of problem, or `about:blank` (RFC 9457).
             */
            type: string;
            /** @description The kind of problem in words. */
            title: string;
            /**
             * Format: int32
             * @description The HTTP status of this response.
             */
            status: number;
            /** @description What is wrong with this request, in words. */
            detail: string;
            /**
             * Format: uri-reference
             * @description A URI reference that identifies this occurrence, such as the path of the request.
             */
            instance?: string;
            /**
             * @description The kind of problem. A minor version may add values: for a value that you do not know, rely
             *     on the status.
             */
            code: components["schemas"]["ProblemCode"];
            /**
             * @description Where the request breaks the contract; present if `code` is `invalid_request`. At least
             *     one error; a service should list all that it finds, up to 100.
             */
            errors?: components["schemas"]["FieldError"][];
            /** @description Identifies the request in the log of the service, if it keeps one. Give it when you report a problem. */
            request_id?: string;
            /** @description Equal to `code`, for clients of the older form of errors. Optional. */
            error_code?: string;
            /**
             * Format: int32
             * @description Equal to `status`, for clients of the older form of errors. Optional.
             */
            status_code?: number;
            /** @description Equal to `detail`, for clients of the older form of errors. Optional. */
            msg?: string;
            /** @description More about the problem, for clients of the older form of errors, such as `operation_id`. Optional. */
            details?: {
                [key: string]: string;
            };
        };
        /**
         * @description The kind of problem. A minor version may add values: for a value that you do not know, rely
         *     on the status.
         * @enum {string}
         */
        ProblemCode: "malformed_request" | "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "not_acceptable" | "already_exists" | "conflict" | "content_too_large" | "unsupported_media_type" | "too_many_requests" | "internal_error" | "service_unavailable";
        /**
         * @description One error in the request. `pointer` (a JSON Pointer, RFC 6901) is the place in the body;
         *     `parameter` is the name of a parameter of the path or query. Exactly one of the two is
         *     present.
         */
        FieldError: {
            /** @description The place in the body; `""` is the body itself. See "Field errors". */
            pointer?: string;
            /** @description The name of the parameter. */
            parameter?: string;
            /**
             * @description The kind of error. "Field errors" has the schema keyword for each value. A minor version may
             *     add values: treat a value that you do not know as an error at that place.
             *
             *     - `required`: the value is missing.
             *     - `unknown`: there is no such property or parameter.
             *     - `repeated`: a parameter, or a name in an object, is given more than once.
             *     - `type`: the value has another JSON type.
             *     - `value`: the value is not one of the allowed values.
             *     - `format`: the value does not have the required form.
             *     - `too_short`, `too_long`: the number of characters.
             *     - `too_many_bytes`: the number of bytes of UTF-8.
             *     - `too_small`, `too_large`: the number.
             *     - `too_few`, `too_many`: the number of items or properties.
             *     - `duplicate`: an item or a header name is given twice.
             *     - `unicode`: a text has a lone surrogate.
             *     - `not_allowed_here`: the value contradicts another property or parameter.
             */
            code: components["schemas"]["FieldErrorCode"];
            /** @description The rule that is broken, in words. */
            detail: string;
        };
        /**
         * @description The kind of error. "Field errors" has the schema keyword for each value. A minor version may
         *     add values: treat a value that you do not know as an error at that place.
         *
         *     - `required`: the value is missing.
         *     - `unknown`: there is no such property or parameter.
         *     - `repeated`: a parameter, or a name in an object, is given more than once.
         *     - `type`: the value has another JSON type.
         *     - `value`: the value is not one of the allowed values.
         *     - `format`: the value does not have the required form.
         *     - `too_short`, `too_long`: the number of characters.
         *     - `too_many_bytes`: the number of bytes of UTF-8.
         *     - `too_small`, `too_large`: the number.
         *     - `too_few`, `too_many`: the number of items or properties.
         *     - `duplicate`: an item or a header name is given twice.
         *     - `unicode`: a text has a lone surrogate.
         *     - `not_allowed_here`: the value contradicts another property or parameter.
         * @enum {string}
         */
        FieldErrorCode: "required" | "unknown" | "repeated" | "type" | "value" | "format" | "too_short" | "too_long" | "too_many_bytes" | "too_small" | "too_large" | "too_few" | "too_many" | "duplicate" | "unicode" | "not_allowed_here";
    };
    responses: {
        /** @description The request cannot be read (`malformed_request`), or it breaks this contract (`invalid_request`). */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The bearer token is missing or invalid. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["BearerChallenge"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The token is valid, but is read-only. A service need not have such tokens. */
        Forbidden: {
            headers: {
                "WWW-Authenticate": components["headers"]["ScopeChallenge"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description There is no such resource. A service may also respond so, instead of with 400, to a path
         *     parameter that breaks its schema: such a resource cannot exist.
         */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The `Accept` header excludes `application/json`. */
        NotAcceptable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The resource that the request adds exists already. */
        AlreadyExists: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The change contradicts other settings of the edge or its routes (D09), or makes the edge too large. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The edge has another route with this `match_type` and `match` (`already_exists`). Or the
         *     route contradicts its edge (D09), has a second enabled sign-in module (D21), is one route
         *     too many, or makes the edge too large: `conflict`.
         */
        RouteConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is larger than 1,048,576 bytes. */
        ContentTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not declared as `application/json` in UTF-8. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The client sends too many requests. Rate limiting is optional. */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service failed. Give its `request_id` when you report it. */
        InternalServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The service cannot respond now, for example because its storage is not available. A change
         *     may have been made.
         */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfterHint"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description The identifier of the edge.
         * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
         */
        EdgeId: components["schemas"]["ResourceId"];
        /**
         * @description The identifier of the route.
         * @example edghtsrt_01ke3vwgt3m0f2a7c9s5h8k6xe
         */
        RouteId: components["schemas"]["ResourceId"];
        /**
         * @description The identifier of the event subscription that the sources belong to. Any identifier is accepted (D14).
         * @example sub_orders
         */
        SubscriptionId: components["schemas"]["ResourceId"];
        /**
         * @description The event type of the source. In an update, it is the current type (D12).
         * @example ip_policy_created.v0
         */
        SourceType: components["schemas"]["EventType"];
        /**
         * @description The largest number of items on a page, in decimal digits without a sign or a leading zero.
         *     The next page keeps it. A page may have fewer items.
         * @example 10
         */
        Limit: number;
        /**
         * @description Where the page begins. It is opaque and stands in the URI of the next page; do not build
         *     one. A service may respond to a cursor that it did not issue with 400 (the error `format`)
         *     or with any page. Given twice, such a cursor has the error `repeated`, `format` or both.
         * @example the-cursor-of-the-next-page
         */
        Cursor: string;
        /**
         * @description The page has the edges that come after the one with this id, which are older. It is for
         *     existing clients that do not follow `next_page_uri`. A service may refuse an id that no edge
         *     has with 400; if it accepts the id of an edge that was deleted, the page begins where that
         *     edge was. Together with `cursor`, it is refused with `not_allowed_here`.
         * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
         */
        BeforeId: components["schemas"]["ResourceId"];
    };
    requestBodies: never;
    headers: {
        /**
         * @description The `uri` of the new edge.
         * @example http://127.0.0.1:4010/edges/https/edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
         */
        EdgeLocation: components["schemas"]["Uri"];
        /**
         * @description The `uri` of the new route.
         * @example http://127.0.0.1:4010/edges/https/edghts_01ke3vw9xjbqpxz3q6t8m4n5rd/routes/edghtsrt_01ke3vwgt3m0f2a7c9s5h8k6xe
         */
        RouteLocation: components["schemas"]["Uri"];
        /**
         * @description The `uri` of the new event source.
         * @example http://127.0.0.1:4010/event_subscriptions/sub_orders/sources/ip_policy_created.v0
         */
        EventSourceLocation: components["schemas"]["Uri"];
        /**
         * @description One or more challenges (RFC 9110, 11.6.1), one of them of the scheme Bearer (RFC 6750).
         * @example Bearer realm="edge-api"
         */
        BearerChallenge: string;
        /**
         * @description One or more challenges, one of them of the scheme Bearer with `error="insufficient_scope"`
         *     (RFC 6750).
         * @example Bearer realm="edge-api", error="insufficient_scope"
         */
        ScopeChallenge: string;
        /**
         * @description How many seconds to wait, or an HTTP date (RFC 9110).
         * @example 1
         */
        RetryAfter: string;
        /**
         * @description How many seconds to wait, or an HTTP date (RFC 9110). A gateway in between may omit it.
         * @example 1
         */
        RetryAfterHint: string;
    };
    pathItems: never;
}
export type ResourceId = components['schemas']['ResourceId'];
export type Uri = components['schemas']['Uri'];
export type CreatedAt = components['schemas']['CreatedAt'];
export type Description = components['schemas']['Description'];
export type DescriptionOrNull = components['schemas']['DescriptionOrNull'];
export type DescriptionOrEmpty = components['schemas']['DescriptionOrEmpty'];
export type Metadata = components['schemas']['Metadata'];
export type MetadataOrNull = components['schemas']['MetadataOrNull'];
export type MetadataOrEmpty = components['schemas']['MetadataOrEmpty'];
export type Enabled = components['schemas']['Enabled'];
export type Hostport = components['schemas']['Hostport'];
export type HostportList = components['schemas']['HostportList'];
export type HostportListOrNull = components['schemas']['HostportListOrNull'];
export type HostportListOrEmpty = components['schemas']['HostportListOrEmpty'];
export type EventType = components['schemas']['EventType'];
export type TLSVersion = components['schemas']['TLSVersion'];
export type TerminateAt = components['schemas']['TerminateAt'];
export type MatchType = components['schemas']['MatchType'];
export type Match = components['schemas']['Match'];
export type Secret = components['schemas']['Secret'];
export type HeaderName = components['schemas']['HeaderName'];
export type HeaderValue = components['schemas']['HeaderValue'];
export type HeaderMap = components['schemas']['HeaderMap'];
export type HeaderNameList = components['schemas']['HeaderNameList'];
export type WebhookProvider = components['schemas']['WebhookProvider'];
export type TrafficPolicyValue = components['schemas']['TrafficPolicyValue'];
export type UserAgentExpression = components['schemas']['UserAgentExpression'];
export type UserAgentExpressionList = components['schemas']['UserAgentExpressionList'];
export type CertificateAuthorityIdList = components['schemas']['CertificateAuthorityIdList'];
export type IPPolicyIdList = components['schemas']['IPPolicyIdList'];
export type TrippedDuration = components['schemas']['TrippedDuration'];
export type RollingWindow = components['schemas']['RollingWindow'];
export type NumBuckets = components['schemas']['NumBuckets'];
export type VolumeThreshold = components['schemas']['VolumeThreshold'];
export type ErrorThresholdPercentage = components['schemas']['ErrorThresholdPercentage'];
export type OptionsPassthrough = components['schemas']['OptionsPassthrough'];
export type CookiePrefix = components['schemas']['CookiePrefix'];
export type InactivityTimeout = components['schemas']['InactivityTimeout'];
export type MaximumDuration = components['schemas']['MaximumDuration'];
export type AuthCheckInterval = components['schemas']['AuthCheckInterval'];
export type OAuthClientId = components['schemas']['OAuthClientId'];
export type OAuthClientSecret = components['schemas']['OAuthClientSecret'];
export type OAuthScope = components['schemas']['OAuthScope'];
export type OAuthScopeList = components['schemas']['OAuthScopeList'];
export type EmailAddress = components['schemas']['EmailAddress'];
export type EmailAddressList = components['schemas']['EmailAddressList'];
export type EmailDomain = components['schemas']['EmailDomain'];
export type EmailDomainList = components['schemas']['EmailDomainList'];
export type GitHubTeam = components['schemas']['GitHubTeam'];
export type GitHubTeamList = components['schemas']['GitHubTeamList'];
export type GitHubOrganization = components['schemas']['GitHubOrganization'];
export type GitHubOrganizationList = components['schemas']['GitHubOrganizationList'];
export type IdpMetadata = components['schemas']['IdpMetadata'];
export type ForceAuthn = components['schemas']['ForceAuthn'];
export type AllowIdpInitiated = components['schemas']['AllowIdpInitiated'];
export type GroupName = components['schemas']['GroupName'];
export type AuthorizedGroups = components['schemas']['AuthorizedGroups'];
export type NameIdFormat = components['schemas']['NameIdFormat'];
export type Issuer = components['schemas']['Issuer'];
export type ClientId = components['schemas']['ClientId'];
export type ClientSecret = components['schemas']['ClientSecret'];
export type OIDCScopeList = components['schemas']['OIDCScopeList'];
export type HTTPSEdge = components['schemas']['HTTPSEdge'];
export type HTTPSEdgeList = components['schemas']['HTTPSEdgeList'];
export type NextPageUri = components['schemas']['NextPageUri'];
export type EndpointMutualTLS = components['schemas']['EndpointMutualTLS'];
export type EndpointTLSTermination = components['schemas']['EndpointTLSTermination'];
export type Ref = components['schemas']['Ref'];
export type RefList = components['schemas']['RefList'];
export type HTTPSEdgeCreate = components['schemas']['HTTPSEdgeCreate'];
export type HTTPSEdgeUpdate = components['schemas']['HTTPSEdgeUpdate'];
export type EndpointMutualTLSMutate = components['schemas']['EndpointMutualTLSMutate'];
export type EndpointTLSTerminationAtEdge = components['schemas']['EndpointTLSTerminationAtEdge'];
export type HTTPSEdgeRoute = components['schemas']['HTTPSEdgeRoute'];
export type EndpointBackend = components['schemas']['EndpointBackend'];
export type EndpointIPPolicy = components['schemas']['EndpointIPPolicy'];
export type EndpointCircuitBreaker = components['schemas']['EndpointCircuitBreaker'];
export type EndpointCompression = components['schemas']['EndpointCompression'];
export type EndpointRequestHeaders = components['schemas']['EndpointRequestHeaders'];
export type EndpointResponseHeaders = components['schemas']['EndpointResponseHeaders'];
export type EndpointWebhookValidation = components['schemas']['EndpointWebhookValidation'];
export type EndpointWebsocketTCPConverter = components['schemas']['EndpointWebsocketTCPConverter'];
export type EndpointUserAgentFilter = components['schemas']['EndpointUserAgentFilter'];
export type EndpointTrafficPolicy = components['schemas']['EndpointTrafficPolicy'];
export type EndpointOAuth = components['schemas']['EndpointOAuth'];
export type EndpointOAuthProvider = components['schemas']['EndpointOAuthProvider'];
export type EndpointOAuthGitHub = components['schemas']['EndpointOAuthGitHub'];
export type EndpointOAuthBasic = components['schemas']['EndpointOAuthBasic'];
export type EndpointSAML = components['schemas']['EndpointSAML'];
export type EndpointOIDC = components['schemas']['EndpointOIDC'];
export type HTTPSEdgeRouteCreate = components['schemas']['HTTPSEdgeRouteCreate'];
export type HTTPSEdgeRouteUpdate = components['schemas']['HTTPSEdgeRouteUpdate'];
export type EndpointBackendMutate = components['schemas']['EndpointBackendMutate'];
export type EndpointIPPolicyMutate = components['schemas']['EndpointIPPolicyMutate'];
export type EndpointCircuitBreakerMutate = components['schemas']['EndpointCircuitBreakerMutate'];
export type EndpointCompressionMutate = components['schemas']['EndpointCompressionMutate'];
export type EndpointRequestHeadersMutate = components['schemas']['EndpointRequestHeadersMutate'];
export type EndpointResponseHeadersMutate = components['schemas']['EndpointResponseHeadersMutate'];
export type EndpointWebhookValidationMutate = components['schemas']['EndpointWebhookValidationMutate'];
export type EndpointOAuthMutate = components['schemas']['EndpointOAuthMutate'];
export type EndpointOAuthProviderMutate = components['schemas']['EndpointOAuthProviderMutate'];
export type EndpointOAuthGitHubMutate = components['schemas']['EndpointOAuthGitHubMutate'];
export type EndpointOAuthBasicMutate = components['schemas']['EndpointOAuthBasicMutate'];
export type EndpointSAMLMutate = components['schemas']['EndpointSAMLMutate'];
export type EndpointOIDCMutate = components['schemas']['EndpointOIDCMutate'];
export type EndpointWebsocketTCPConverterMutate = components['schemas']['EndpointWebsocketTCPConverterMutate'];
export type EndpointUserAgentFilterMutate = components['schemas']['EndpointUserAgentFilterMutate'];
export type EndpointTrafficPolicyMutate = components['schemas']['EndpointTrafficPolicyMutate'];
export type EventSourceCreate = components['schemas']['EventSourceCreate'];
export type EventSourceUpdate = components['schemas']['EventSourceUpdate'];
export type EventSource = components['schemas']['EventSource'];
export type EventSourceList = components['schemas']['EventSourceList'];
export type Problem = components['schemas']['Problem'];
export type ProblemCode = components['schemas']['ProblemCode'];
export type FieldError = components['schemas']['FieldError'];
export type FieldErrorCode = components['schemas']['FieldErrorCode'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseNotAcceptable = components['responses']['NotAcceptable'];
export type ResponseAlreadyExists = components['responses']['AlreadyExists'];
export type ResponseConflict = components['responses']['Conflict'];
export type ResponseRouteConflict = components['responses']['RouteConflict'];
export type ResponseContentTooLarge = components['responses']['ContentTooLarge'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseInternalServerError = components['responses']['InternalServerError'];
export type ResponseServiceUnavailable = components['responses']['ServiceUnavailable'];
export type ParameterEdgeId = components['parameters']['EdgeId'];
export type ParameterRouteId = components['parameters']['RouteId'];
export type ParameterSubscriptionId = components['parameters']['SubscriptionId'];
export type ParameterSourceType = components['parameters']['SourceType'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterCursor = components['parameters']['Cursor'];
export type ParameterBeforeId = components['parameters']['BeforeId'];
export type HeaderEdgeLocation = components['headers']['EdgeLocation'];
export type HeaderRouteLocation = components['headers']['RouteLocation'];
export type HeaderEventSourceLocation = components['headers']['EventSourceLocation'];
export type HeaderBearerChallenge = components['headers']['BearerChallenge'];
export type HeaderScopeChallenge = components['headers']['ScopeChallenge'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type HeaderRetryAfterHint = components['headers']['RetryAfterHint'];
export type $defs = Record<string, never>;
export interface operations {
    listEdges: {
        parameters: {
            query?: {
                /**
                 * @description The largest number of items on a page, in decimal digits without a sign or a leading zero.
                 *     The next page keeps it. A page may have fewer items.
                 * @example 10
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Where the page begins. It is opaque and stands in the URI of the next page; do not build
                 *     one. A service may respond to a cursor that it did not issue with 400 (the error `format`)
                 *     or with any page. Given twice, such a cursor has the error `repeated`, `format` or both.
                 * @example the-cursor-of-the-next-page
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description The page has the edges that come after the one with this id, which are older. It is for
                 *     existing clients that do not follow `next_page_uri`. A service may refuse an id that no edge
                 *     has with 400; if it accepts the id of an edge that was deleted, the page begins where that
                 *     edge was. Together with `cursor`, it is refused with `not_allowed_here`.
                 * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
                 */
                before_id?: components["parameters"]["BeforeId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of edges. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPSEdgeList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createEdge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The edge to create. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["HTTPSEdgeCreate"];
            };
        };
        responses: {
            /** @description The edge was created. */
            201: {
                headers: {
                    Location: components["headers"]["EdgeLocation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPSEdge"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEdge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the edge.
                 * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
                 */
                edge_id: components["parameters"]["EdgeId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The edge. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPSEdge"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteEdge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the edge.
                 * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
                 */
                edge_id: components["parameters"]["EdgeId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The edge and its routes were deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateEdge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the edge.
                 * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
                 */
                edge_id: components["parameters"]["EdgeId"];
            };
            cookie?: never;
        };
        /** @description The properties to change. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["HTTPSEdgeUpdate"];
            };
        };
        responses: {
            /** @description The edge after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPSEdge"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createRoute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the edge.
                 * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
                 */
                edge_id: components["parameters"]["EdgeId"];
            };
            cookie?: never;
        };
        /** @description The route to create. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["HTTPSEdgeRouteCreate"];
            };
        };
        responses: {
            /** @description The route was created. */
            201: {
                headers: {
                    Location: components["headers"]["RouteLocation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPSEdgeRoute"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["RouteConflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getRoute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the edge.
                 * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
                 */
                edge_id: components["parameters"]["EdgeId"];
                /**
                 * @description The identifier of the route.
                 * @example edghtsrt_01ke3vwgt3m0f2a7c9s5h8k6xe
                 */
                route_id: components["parameters"]["RouteId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The route. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPSEdgeRoute"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteRoute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the edge.
                 * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
                 */
                edge_id: components["parameters"]["EdgeId"];
                /**
                 * @description The identifier of the route.
                 * @example edghtsrt_01ke3vwgt3m0f2a7c9s5h8k6xe
                 */
                route_id: components["parameters"]["RouteId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The route was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateRoute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the edge.
                 * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
                 */
                edge_id: components["parameters"]["EdgeId"];
                /**
                 * @description The identifier of the route.
                 * @example edghtsrt_01ke3vwgt3m0f2a7c9s5h8k6xe
                 */
                route_id: components["parameters"]["RouteId"];
            };
            cookie?: never;
        };
        /** @description The properties to change. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["HTTPSEdgeRouteUpdate"];
            };
        };
        responses: {
            /** @description The route after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPSEdgeRoute"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["RouteConflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEventSources: {
        parameters: {
            query?: {
                /**
                 * @description The largest number of items on a page, in decimal digits without a sign or a leading zero.
                 *     The next page keeps it. A page may have fewer items.
                 * @example 10
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Where the page begins. It is opaque and stands in the URI of the next page; do not build
                 *     one. A service may respond to a cursor that it did not issue with 400 (the error `format`)
                 *     or with any page. Given twice, such a cursor has the error `repeated`, `format` or both.
                 * @example the-cursor-of-the-next-page
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The identifier of the event subscription that the sources belong to. Any identifier is accepted (D14).
                 * @example sub_orders
                 */
                subscription_id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of sources. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSourceList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createEventSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the event subscription that the sources belong to. Any identifier is accepted (D14).
                 * @example sub_orders
                 */
                subscription_id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        /** @description The event type to add. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventSourceCreate"];
            };
        };
        responses: {
            /** @description The event type was added. */
            201: {
                headers: {
                    Location: components["headers"]["EventSourceLocation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSource"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["AlreadyExists"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEventSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the event subscription that the sources belong to. Any identifier is accepted (D14).
                 * @example sub_orders
                 */
                subscription_id: components["parameters"]["SubscriptionId"];
                /**
                 * @description The event type of the source. In an update, it is the current type (D12).
                 * @example ip_policy_created.v0
                 */
                type: components["parameters"]["SourceType"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event source. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSource"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteEventSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the event subscription that the sources belong to. Any identifier is accepted (D14).
                 * @example sub_orders
                 */
                subscription_id: components["parameters"]["SubscriptionId"];
                /**
                 * @description The event type of the source. In an update, it is the current type (D12).
                 * @example ip_policy_created.v0
                 */
                type: components["parameters"]["SourceType"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event source was removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateEventSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the event subscription that the sources belong to. Any identifier is accepted (D14).
                 * @example sub_orders
                 */
                subscription_id: components["parameters"]["SubscriptionId"];
                /**
                 * @description The event type of the source. In an update, it is the current type (D12).
                 * @example ip_policy_created.v0
                 */
                type: components["parameters"]["SourceType"];
            };
            cookie?: never;
        };
        /** @description The new event type. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EventSourceUpdate"];
            };
        };
        responses: {
            /** @description The event source after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSource"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["AlreadyExists"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
