package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sdds.core.netty.MulticastGroup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * IP multicast over real sockets, in a network namespace of its own, so that nothing reaches the machine's networks.
 */
@Order(1)
class MulticastTest {
    private static final String NETWORK =
            "ip link set lo up && ip link set lo multicast on && ip route add 224.0.0.0/4 dev lo";
    private static final long PATIENCE_SECONDS = 300;

    private record Ended(int code, String said) {}

    /** Runs a shell command where the loopback is the only network, and multicasts. */
    private static Ended inOwnNetwork(String command, String... arguments) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(
                List.of("unshare", "--map-root-user", "--net", "sh", "-c", NETWORK + " && " + command, "sh"));
        line.addAll(List.of(arguments));
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as(said)
                    .isTrue();
            return new Ended(process.exitValue(), said);
        } finally {
            process.destroyForcibly();
        }
    }

    private static boolean hasNamespaces() throws InterruptedException {
        try {
            return inOwnNetwork("true").code() == 0;
        } catch (IOException e) {
            return false; // no unshare
        }
    }

    @Test
    void requestsToAllBricksLeaveAsDatagrams() throws IOException, InterruptedException {
        assumeThat(hasNamespaces())
                .as("this machine gives no network namespace (unshare --map-root-user --net): IP multicast is not"
                        + " tested here")
                .isTrue();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Ended run = inOwnNetwork(
                "exec timeout 290 \"$@\"",
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                MulticastRun.class.getName());
        run.said().lines().filter(line -> !line.contains(" DEBUG ")).forEach(System.out::println);
        assertThat(run.said()).contains(MulticastRun.ALL_RIGHT);
        assertThat(run.code()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"10.0.0.1:7474", "239.255.74.74", "239.255.74.74:7474@nosuch0", ":7474", "239.255.74.74:no"})
    void whatIsNoGroupIsRefused(String text) {
        assertThatThrownBy(() -> MulticastGroup.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .isNotBlank();
    }
}
