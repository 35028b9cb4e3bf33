#!/usr/bin/env bash
# run.sh [up|measure|down]: starts and loads the stores, measures them in turn, ends them; without an argument all three.
# Environment: PROJECT (the checkout, built by `mvn package`), JAVA17 (home of a JDK 17), PORT (23600; the 40 from it on are used),
# ROWS, WARMUPS, ROUNDS, HEAP (2g, of an Ignite node and of the client).
# All listens on 127.0.0.1. Each process that is started here is ended here, by its own id.
set -u
HERE=$(cd "$(dirname "$0")" && pwd)
: "${PROJECT:=$HERE/../../..}" "${JAVA17:=/usr/lib/jvm/java-17-openjdk-amd64}" "${PORT:=23600}" "${HEAP:=2g}"
: "${ROWS:=1000000}" "${WARMUPS:=10}" "${ROUNDS:=7}"
RUN=$HERE/target/run
SDDS=127.0.0.1:$PORT IGNITE=127.0.0.1:$((PORT + 10))
LIB="$PROJECT/sdds-cli/target/lib"
# What Ignite 2 wants of JDK 17 (its bin/include/jvmdefaults.sh).
OPENS=()
for p in java.base/{jdk.internal.misc,jdk.internal.access,sun.nio.ch,sun.util.calendar,sun.reflect.generics.reflectiveObjects,java.io,java.nio,java.net,java.util,java.util.concurrent,java.util.concurrent.locks,java.util.concurrent.atomic,java.lang,java.lang.invoke,java.math,java.time,java.text,java.lang.reflect,sun.security.ssl,sun.security.x509} java.management/{com.sun.jmx.mbeanserver,sun.management} jdk.internal.jvmstat/sun.jvmstat.monitor java.sql/java.sql java.logging/java.util.logging jdk.management/com.sun.management.internal; do
  OPENS+=(--add-opens "$p=ALL-UNNAMED")
done

build() {
  [ -d "$HERE/target/ignite" ] || mvn -q -f "$HERE/pom.xml" -Pignite dependency:copy-dependencies -DoutputDirectory="$HERE/target/ignite" || exit 1
  [ -d "$HERE/target/h2" ] || mvn -q -f "$HERE/pom.xml" -Ph2 dependency:copy-dependencies -DoutputDirectory="$HERE/target/h2" || exit 1
  mkdir -p "$HERE/target/classes"
  "$JAVA17/bin/javac" --release 17 -d "$HERE/target/classes" -cp "$LIB/*:$HERE/target/ignite/*" "$HERE"/src/main/java/peers/queries/*.java || exit 1
}

server() { # NAME PORT COMMAND...: starts it, notes its id, waits for its port
  local name=$1 port=$2
  shift 2
  nohup "$@" >"$RUN/$name.log" 2>&1 &
  echo $! >>"$RUN/pids"
  for _ in $(seq 300); do
    (exec 3<>/dev/tcp/127.0.0.1/"$port") 2>/dev/null && return 0
    sleep 0.2
  done
  echo "$name did not open $port: see $RUN/$name.log" >&2
  return 1
}

client() {
  # The client, with H2 2 in it; of Ignite's jars the thin driver alone, as the others bring another H2.
  "$JAVA17/bin/java" -Xms"$HEAP" -Xmx"$HEAP" "${OPENS[@]}" -Drows="$ROWS" -Dwarmups="$WARMUPS" -Drounds="$ROUNDS" \
    -cp "$HERE/target/classes:$HERE/target/h2/*:$LIB/*:$(echo "$HERE"/target/ignite/{ignite-core,cache-api,annotations,slf4j-api}-*.jar | tr ' ' :)" \
    peers.queries.Main "$1" "$SDDS" "$IGNITE"
}

up() {
  build
  rm -rf "$RUN" && mkdir -p "$RUN"
  server c1 "$PORT" "$PROJECT/bin/sdds" coordinator --id c1 --listen "$SDDS" --dir "$RUN/c1" || return 1
  local k
  for k in 1 2; do
    server "b$k" $((PORT + k)) "$PROJECT/bin/sdds" brick --id "b$k" --listen "127.0.0.1:$((PORT + k))" \
      --coordinators "$SDDS" --memory 1g --stages 1 --dir "$RUN/b$k" || return 1
  done
  for k in 0 1; do
    server "ignite$k" $((PORT + 10 + k)) "$JAVA17/bin/java" -Xms"$HEAP" -Xmx"$HEAP" "${OPENS[@]}" \
      -cp "$HERE/target/classes:$HERE/target/ignite/*" peers.queries.IgniteNode "$k" "$((PORT + 10))" "$RUN/ignite$k" || return 1
  done
  client load
}

down() {
  local pid
  [ -f "$RUN/pids" ] || return 0
  # TERM would have a brick move its records to other bricks first.
  while read -r pid; do kill -9 "$pid" 2>/dev/null; done <"$RUN/pids"
  rm "$RUN/pids"
}

case ${1:-all} in
  up) up ;;
  measure) client measure ;;
  down) down ;;
  all)
    trap down EXIT
    up && client measure
    ;;
  *) sed -n '2,5p' "$0" >&2; exit 2 ;;
esac
