# SDDS for the harness that measures stores side by side: copy this into its stores/.
# PROJECT is the path of a checkout, built by `mvn package`; BRICKS how many processes; CAPACITY records a partition is meant to hold;
# REPLICAS copies of each partition, PARTITIONS that the table begins with, KIND of the table (hash or range).
: "${PROJECT:?set PROJECT to the path of an SDDS checkout}" "${BRICKS:=1}" "${CAPACITY:=0}" "${REPLICAS:=1}" "${PARTITIONS:=1}" "${KIND:=hash}"
MODULE=core; CLASS=io.sdds.bench.peers.SddsConnector; DRIVER=callback
CLIENT_CP="$PROJECT/sdds-bench/target/classes:$PROJECT/sdds-cli/target/lib/*:$PROJECT/sdds-cli/target/lib/tools/*"
OPTS="-Dsdds.connect=127.0.0.1:17400 -Dsdds.capacity=$CAPACITY -Dsdds.kind=$KIND -Dsdds.replicas=$REPLICAS -Dsdds.partitions=$PARTITIONS --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -XX:+UseCompactObjectHeaders"
start() { # every process is on loopback; `server PORT COMMAND...` waits for the port
  rm -rf "$HERE/results/sdds"
  server 17400 "$PROJECT/bin/sdds" coordinator --id c1 --listen 127.0.0.1:17400 --dir "$HERE/results/sdds/c1" || return 1
  local k
  for k in $(seq "$BRICKS"); do
    server $((17400 + k)) "$PROJECT/bin/sdds" brick --id "b$k" --listen "127.0.0.1:$((17400 + k))" --coordinators 127.0.0.1:17400 \
      --memory 1g --stages 1 --dir "$HERE/results/sdds/b$k" || return 1
  done
}
