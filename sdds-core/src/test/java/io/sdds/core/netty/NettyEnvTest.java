package io.sdds.core.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class NettyEnvTest {
    /** A stage with a long queue or background work defers its next drain from each drain. */
    @Test
    void socketsAreReadBetweenTasksThatDeferEachOther() throws Exception {
        try (NettyTransport transport = new NettyTransport(1, "test")) {
            Env env = transport.envs().get(0);
            AtomicInteger rounds = new AtomicInteger();
            CompletableFuture<Integer> accepted = new CompletableFuture<>();
            int port = transport.listen(
                    "127.0.0.1",
                    0,
                    () -> Hello.of(Hello.Role.BRICK, "b", 1),
                    any -> new Ends(link -> accepted.complete(rounds.get())));
            env.execute(() -> {
                env.dial("127.0.0.1:" + port, Hello.of(Hello.Role.CLIENT, "c", 0), new Ends(link -> {}));
                again(env, rounds, accepted);
            });
            assertThat(accepted.get(20, TimeUnit.SECONDS))
                    .as("rounds until the link was up")
                    .isLessThan(1000);
        }
    }

    @Test
    void tasksThatAreDeferredRunInOrderAndOnesThatFailKeepNobody() throws Exception {
        try (NettyTransport transport = new NettyTransport(1, "test")) {
            Env env = transport.envs().get(0);
            StringBuilder order = new StringBuilder();
            CompletableFuture<String> done = new CompletableFuture<>();
            env.execute(() -> {
                env.defer(() -> {
                    order.append('a');
                    env.defer(() -> order.append('d'));
                });
                env.defer(() -> {
                    order.append('b');
                    throw new IllegalStateException("a planned failure");
                });
                env.defer(() -> {
                    order.append('c');
                    env.defer(() -> done.complete(order.toString()));
                });
            });
            assertThat(done.get(20, TimeUnit.SECONDS)).isEqualTo("abcd");
        }
    }

    /** Each takes about as long as a drain. */
    private static void again(Env env, AtomicInteger rounds, CompletableFuture<Integer> until) {
        if (!until.isDone()) {
            rounds.incrementAndGet();
            long end = System.nanoTime() + 200_000;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            env.defer(() -> again(env, rounds, until));
        }
    }

    private record Ends(java.util.function.Consumer<Link> up) implements Node {
        @Override
        public void onLinkUp(Link link) {
            up.accept(link);
        }

        @Override
        public void onFrames(Link link, ByteBuf frames) {}

        @Override
        public void onLinkDown(Link link, String reason) {}
    }
}
