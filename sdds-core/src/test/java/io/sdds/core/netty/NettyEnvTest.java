package io.sdds.core.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.util.ResourceLeakDetector;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(strings = {"execute", "defer", "schedule"})
    void aNodeWhoseTaskThrewRunsNothingMoreOnceItIsHalted(String how) throws Exception {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        AtomicReference<NettyTransport> halted = new AtomicReference<>();
        try (NettyTransport transport = new NettyTransport(1, "test", cause -> {
            halted.get().halt();
            failure.complete(cause);
        })) {
            halted.set(transport);
            Env env = transport.envs().get(0);
            AtomicInteger later = new AtomicInteger();
            run(env, how, () -> {
                env.defer(later::incrementAndGet);
                env.schedule(TimeUnit.MILLISECONDS.toNanos(1), later::incrementAndGet);
                throw new StackOverflowError("a planned failure");
            });
            assertThat(failure.get(20, TimeUnit.SECONDS)).hasMessage("a planned failure");
            transport.close();
            env.execute(later::incrementAndGet); // from a thread that has not noticed the end yet
            assertThat(later).hasValue(0);
        }
    }

    private static void run(Env env, String how, Runnable task) {
        switch (how) {
            case "execute" -> env.execute(task);
            case "defer" -> env.execute(() -> env.defer(task));
            default -> env.execute(() -> env.schedule(0, task));
        }
    }

    @Test
    void aNodeThatThrowsWhileItTakesFramesIsHaltedAndTheOtherEndIsClosed() throws Exception {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        CompletableFuture<String> closed = new CompletableFuture<>();
        AtomicReference<NettyTransport> halted = new AtomicReference<>();
        try (NettyTransport server = new NettyTransport(1, "server", cause -> {
                    halted.get().halt();
                    failure.complete(cause);
                });
                NettyTransport client = new NettyTransport(1, "client")) {
            halted.set(server);
            int port = server.listen(
                    "127.0.0.1",
                    0,
                    () -> Hello.of(Hello.Role.BRICK, "b", 1),
                    any -> new Ends(link -> {
                        throw new IllegalStateException("a planned failure");
                    }));
            Env env = client.envs().get(0);
            env.execute(() -> env.dial(
                    "127.0.0.1:" + port, Hello.of(Hello.Role.CLIENT, "c", 0), new Ends(link -> {}, closed::complete)));
            assertThat(failure.get(20, TimeUnit.SECONDS)).hasMessage("a planned failure");
            assertThat(closed.get(20, TimeUnit.SECONDS)).isNotNull();
            assertThatThrownBy(() -> new Socket("127.0.0.1", port).close()).isInstanceOf(ConnectException.class);
        }
    }

    /** Netty's loop closes its sockets only if it looks at them once more before it ends. */
    @ParameterizedTest
    @ValueSource(strings = {"halt", "close"})
    void socketsAreClosedWhenTheEndComesWhileATaskRuns(String how) throws Exception {
        CompletableFuture<String> up = new CompletableFuture<>();
        CompletableFuture<String> closed = new CompletableFuture<>();
        try (NettyTransport server = new NettyTransport(1, "server");
                NettyTransport client = new NettyTransport(1, "client")) {
            int port = server.listen(
                    "127.0.0.1", 0, () -> Hello.of(Hello.Role.BRICK, "b", 1), any -> new Ends(link -> up.complete("")));
            Env env = client.envs().get(0);
            env.execute(() -> env.dial(
                    "127.0.0.1:" + port, Hello.of(Hello.Role.CLIENT, "c", 0), new Ends(link -> {}, closed::complete)));
            up.get(20, TimeUnit.SECONDS);
            endDuringATask(server, how);
            assertThat(closed.get(20, TimeUnit.SECONDS)).isNotNull();
            assertThatThrownBy(() -> new Socket("127.0.0.1", port).close()).isInstanceOf(ConnectException.class);
        }
    }

    private static void endDuringATask(NettyTransport server, String how) throws Exception {
        Env env = server.envs().get(0);
        if (how.equals("halt")) {
            env.execute(server::halt);
            return;
        }
        CountDownLatch began = new CountDownLatch(1);
        Thread closer = new Thread(server::close);
        env.execute(() -> {
            began.countDown();
            while (closer.getState() != Thread.State.TIMED_WAITING && closer.getState() != Thread.State.TERMINATED) {
                Thread.onSpinWait();
            }
        });
        began.await();
        closer.start();
        closer.join();
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

    /** Dials again as soon as a dial has failed, as bricks and clients do. */
    private static final class Redialing implements Node {
        private final Env env;
        private final String address;
        private final List<String> failures = new ArrayList<>();
        private final CompletableFuture<List<String>> up = new CompletableFuture<>();
        private Link link;
        private boolean dialing;

        Redialing(Env env, String address) {
            this.env = env;
            this.address = address;
        }

        void dial() {
            dialing = true;
            link = env.dial(address, Hello.of(Hello.Role.CLIENT, "c", 0), this);
            dialing = false;
        }

        @Override
        public void onLinkUp(Link opened) {
            up.complete(failures);
        }

        @Override
        public void onFrames(Link from, ByteBuf frames) {}

        @Override
        public void onLinkDown(Link closed, String reason) {
            if (dialing || closed != link) {
                up.completeExceptionally(new AssertionError("told inside dial: " + reason));
            }
            failures.add(reason);
            if (failures.size() < 4) {
                dial();
            } else {
                up.complete(failures);
            }
        }
    }

    @Test
    void aNameThatIsUnknownForAWhileIsLookedUpAnewAtEachDial() throws Exception {
        AtomicInteger lookUps = new AtomicInteger();
        NameLookup.Resolver resolver = name -> {
            switch (lookUps.incrementAndGet()) {
                case 1 -> throw new UnknownHostException(name);
                case 2 -> throw new NoClassDefFoundError("planned");
                default -> {
                    return InetAddress.getLoopbackAddress();
                }
            }
        };
        try (NettyTransport transport = new NettyTransport(1, "test", resolver, cause -> {})) {
            int port = transport.listen(
                    "127.0.0.1", 0, () -> Hello.of(Hello.Role.BRICK, "b", 1), any -> new Ends(link -> {}));
            Redialing node = new Redialing(transport.envs().get(0), "brick.test:" + port);
            node.env.execute(node::dial);
            String failure = "can't look up brick.test:" + port + ": ";
            assertThat(node.up.get(20, TimeUnit.SECONDS))
                    .containsExactly(failure + "unknown host", failure + "planned");
            assertThat(lookUps).hasValue(3);
        }
    }

    /** The reserved domain .invalid has no names. */
    @Test
    void aNameThatNobodyKnowsIsToldAfterDialHasReturned() throws Exception {
        try (NettyTransport transport = new NettyTransport(1, "test")) {
            Redialing node = new Redialing(transport.envs().get(0), "no-such-host.invalid:7400");
            node.env.execute(node::dial);
            assertThat(node.up.get(60, TimeUnit.SECONDS)).hasSize(4);
        }
    }

    @Test
    void theLoopGoesOnWhileANameIsLookedUp() throws Exception {
        CompletableFuture<InetAddress> answer = new CompletableFuture<>();
        try (NettyTransport transport = new NettyTransport(1, "test", name -> answer.join(), cause -> {})) {
            int port = transport.listen(
                    "127.0.0.1", 0, () -> Hello.of(Hello.Role.BRICK, "b", 1), any -> new Ends(link -> {}));
            Redialing node = new Redialing(transport.envs().get(0), "brick.test:" + port);
            node.env.execute(node::dial);
            CompletableFuture<Boolean> later = new CompletableFuture<>();
            node.env.execute(() -> later.complete(node.up.isDone()));
            assertThat(later.get(20, TimeUnit.SECONDS)).isFalse();
            answer.complete(InetAddress.getLoopbackAddress());
            assertThat(node.up.get(20, TimeUnit.SECONDS)).isEmpty();
        }
    }

    @Test
    void aLookUpThatNobodyAnswersEndsTheDial() throws Exception {
        CompletableFuture<InetAddress> never = new CompletableFuture<>();
        try (NettyTransport transport = new NettyTransport(1, "test", name -> never.join(), cause -> {})) {
            Env env = transport.envs().get(0);
            CompletableFuture<String> ended = new CompletableFuture<>();
            env.execute(() -> env.dial(
                    "brick.test:1",
                    Hello.of(Hello.Role.CLIENT, "c", 0),
                    new Ends(link -> {}, reason -> ended.complete(reason))));
            assertThat(ended.get(20, TimeUnit.SECONDS)).isEqualTo("can't look up brick.test:1: no answer in time");
            never.completeExceptionally(new IllegalStateException("the end of the test"));
        }
    }

    @Test
    void aMalformedAddressIsToldAfterDialHasReturned() throws Exception {
        try (NettyTransport transport = new NettyTransport(1, "test")) {
            Redialing node = new Redialing(transport.envs().get(0), "nonsense");
            node.env.execute(node::dial);
            assertThat(node.up.get(20, TimeUnit.SECONDS))
                    .hasSize(4)
                    .containsOnly("'nonsense' is not host:port: the port is missing");
        }
    }

    @Test
    void nettysLeakDetectorIsLeftAsTheApplicationHasIt() {
        assertThat(System.getProperty("io.netty.leakDetection.level")).isNull();
        try (NettyTransport transport = new NettyTransport(1, "test")) {
            assertThat(transport.envs()).hasSize(1);
            assertThat(ResourceLeakDetector.getLevel()).isEqualTo(ResourceLeakDetector.Level.SIMPLE);
        }
    }

    /** Runs again and again. Each run takes about as long as a drain. */
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

    private record Ends(Consumer<Link> up, Consumer<String> down) implements Node {
        Ends(Consumer<Link> up) {
            this(up, reason -> {});
        }

        @Override
        public void onLinkUp(Link link) {
            up.accept(link);
        }

        @Override
        public void onFrames(Link link, ByteBuf frames) {}

        @Override
        public void onLinkDown(Link link, String reason) {
            down.accept(reason);
        }
    }
}
