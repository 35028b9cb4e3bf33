package io.sdds.client.internal;

import io.sdds.client.ClientSettings;
import io.sdds.client.SddsClient;
import io.sdds.core.node.Env;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Opens clients in a given environment, such as the environment of a simulator or of a short command. Such clients have
 * no threads of their own, and only the environment's thread calls them. {@link SddsClient} registers how a client is
 * opened, because its constructor is not public.
 */
public final class EnvClients {
    private static volatile @Nullable Opener opener;

    private EnvClients() {}

    /** Opens a client. */
    public interface Opener {
        CompletableFuture<SddsClient> open(ClientLoops loops, ClientSettings settings);
    }

    /** Registers how clients are opened. Only {@link SddsClient} calls this method. */
    public static void register(Opener how) {
        opener = how;
    }

    /**
     * Connects a client. The client refuses calls of its blocking methods.
     *
     * @param addresses of coordinators or bricks, in the form that the environment dials
     */
    public static CompletableFuture<SddsClient> connect(Env env, List<String> addresses, ClientSettings settings) {
        Opener open = opener;
        if (open == null) {
            initializeClient();
            open = opener;
        }
        if (open == null) {
            throw new IllegalStateException("the client has not said how it is opened");
        }
        return open.open(ClientLoops.in(env, addresses, settings), settings);
    }

    private static void initializeClient() {
        try {
            MethodHandles.lookup().ensureInitialized(SddsClient.class);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
