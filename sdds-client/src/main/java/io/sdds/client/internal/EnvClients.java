package io.sdds.client.internal;

import io.sdds.client.ClientSettings;
import io.sdds.client.SddsClient;
import io.sdds.core.node.Env;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Clients in an environment that is handed in, such as a simulator's or that of a short command: without threads of
 * their own, called by the environment's thread alone. The client registers how it is opened, since its constructor is
 * not public.
 */
public final class EnvClients {
    private static volatile @Nullable Opener opener;

    private EnvClients() {}

    /** Opens a client. */
    public interface Opener {
        CompletableFuture<SddsClient> open(ClientLoops loops, ClientSettings settings);
    }

    /** Says how clients are opened. Called by {@link SddsClient} alone. */
    public static void register(Opener how) {
        opener = how;
    }

    /**
     * Connects a client. Blocking methods of the client are refused.
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
