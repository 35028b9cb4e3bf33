package io.sdds.core.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.node.Env;
import io.sdds.core.node.Readiness;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PulseTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(20);

    @Test
    void aProcessLivesWhileEveryThreadRunsTasks() throws Exception {
        try (NettyTransport transport = new NettyTransport(2, "test")) {
            assertThat(new Pulse(transport.envs(), LONG).check()).isEqualTo(Readiness.OK);

            Env second = transport.envs().get(1);
            Pulse pulse = new Pulse(List.of(prompt(second), second), SHORT);
            CountDownLatch stuck = new CountDownLatch(1);
            second.execute(() -> await(stuck));
            assertThat(pulse.check()).isEqualTo(Readiness.no("stage 2 of 2 has made no progress for 20 ms"));
            stuck.countDown();
            assertThat(new Pulse(transport.envs(), LONG).check()).isEqualTo(Readiness.OK);
        }
    }

    @Test
    void whatIsAskedOfAThreadThatIsStuckDoesNotPileUp() throws Exception {
        try (NettyTransport transport = new NettyTransport(1, "test")) {
            Env env = transport.envs().get(0);
            CountDownLatch stuck = new CountDownLatch(1);
            AtomicInteger tasks = new AtomicInteger();
            Pulse pulse = new Pulse(List.of(counting(env, tasks)), SHORT);
            env.execute(() -> await(stuck));
            for (int k = 0; k < 10; k++) {
                assertThat(pulse.check().yes()).isFalse();
            }
            stuck.countDown();
            assertThat(tasks).hasValue(1);
        }
    }

    @Test
    void whoAsksANodeThatDoesNotAnswerIsToldSo() throws Exception {
        try (NettyTransport transport = new NettyTransport(1, "test")) {
            Env env = transport.envs().get(0);
            assertThat(Pulse.ask(env, LONG, answer -> answer.complete(Readiness.OK)))
                    .isEqualTo(Readiness.OK);
            assertThat(Pulse.ask(env, SHORT, answer -> {})).isEqualTo(Readiness.no("it has not answered for 20 ms"));
        }
    }

    /** An environment that runs each task at once, however busy the machine is. */
    private static Env prompt(Env env) {
        return (Env) Proxy.newProxyInstance(
                PulseTest.class.getClassLoader(), new Class<?>[] {Env.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("execute")) {
                        return method.invoke(env, arguments);
                    }
                    ((Runnable) arguments[0]).run();
                    return null;
                });
    }

    /** An environment that counts its tasks. */
    private static Env counting(Env env, AtomicInteger tasks) {
        return (Env) Proxy.newProxyInstance(
                PulseTest.class.getClassLoader(), new Class<?>[] {Env.class}, (proxy, method, arguments) -> {
                    tasks.incrementAndGet();
                    return method.invoke(env, arguments);
                });
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
