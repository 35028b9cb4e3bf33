package io.sdds.coordinator.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.coordinator.shell.CoordinatorConfig.Peer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CoordinatorConfigTest {
    private static final CoordinatorConfig DEFAULTS = CoordinatorConfig.in(Path.of("x"));

    @Test
    void hasTheDocumentedDefaults() {
        assertThat(DEFAULTS.listen()).isEqualTo("127.0.0.1:7400");
        assertThat(DEFAULTS.silence()).isEqualTo(Duration.ofMillis(1500));
        assertThat(DEFAULTS.sessionLease()).isEqualTo(Duration.ofSeconds(60));
        assertThat(DEFAULTS.peers()).isEmpty();
    }

    @Test
    void refusesNamingTheValueAndWhatIsExpected() {
        assertThatThrownBy(() -> DEFAULTS.withListen("localhost")).hasMessageContaining("listen must be host:port");
        assertThatThrownBy(() -> DEFAULTS.withListen("localhost:70000")).hasMessageContaining("'localhost:70000'");
        assertThatThrownBy(() -> DEFAULTS.withListen("0.0.0.0:7400")).hasMessageContaining("--insecure");
        assertThatThrownBy(() -> DEFAULTS.withId("a b")).hasMessageContaining("'a b'");
        assertThatThrownBy(() -> new CoordinatorConfig(
                        "c1",
                        "127.0.0.1:1",
                        "",
                        List.of(),
                        Path.of("x"),
                        Duration.ofMillis(10),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1),
                        false,
                        0))
                .hasMessage(
                        "silence must be from 300ms to 24h, not 10ms: a brick that is well may pause for longer than"
                                + " that; leave it at 1500ms");
    }

    @Test
    void aTimeWithoutEndIsRefusedInWords() {
        for (long seconds : new long[] {Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> new CoordinatorConfig(
                            "c1",
                            "127.0.0.1:1",
                            "",
                            List.of(),
                            Path.of("x"),
                            Duration.ofSeconds(2),
                            Duration.ofSeconds(seconds),
                            Duration.ofSeconds(1),
                            false,
                            0))
                    .hasMessageContaining("must be from 100ms to 24h, not " + seconds + "s");
        }
    }

    @Test
    void readsIpv6Addresses() {
        assertThat(HostPort.parse("listen", "[::1]:7400")).isEqualTo(new HostPort("::1", 7400));
        assertThat(new HostPort("::1", 7400)).hasToString("[::1]:7400");
    }

    @Test
    void refusesPeersThatMakeNoCluster() {
        Peer one = Peer.parse("c1=127.0.0.1:7400");
        Peer two = Peer.parse("c2=127.0.0.1:7401");
        assertThatThrownBy(() -> DEFAULTS.withPeers(List.of(one, two))).hasMessageContaining("odd number");
        assertThatThrownBy(() -> DEFAULTS.withPeers(List.of(two))).hasMessageContaining("must name this coordinator");
        assertThatThrownBy(() -> DEFAULTS.withPeers(List.of(one, one, two))).hasMessageContaining("twice");
        assertThatThrownBy(() -> Peer.parse("127.0.0.1:7400")).hasMessageContaining("ID=host:port");
        assertThatThrownBy(() -> DEFAULTS.withPeers(List.of(new Peer("c1", "127.0.0.1:65000"))))
                .hasMessageContaining("65535");
        assertThat(two.raftAddress()).isEqualTo("127.0.0.1:8401");
    }
}
