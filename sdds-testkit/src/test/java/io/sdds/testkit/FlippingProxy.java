package io.sdds.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/** Passes connections on to a brick, and flips single bits of what goes over them when it is asked to. Thread-safe. */
final class FlippingProxy implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final AtomicBoolean towardsBrick = new AtomicBoolean();
    private final AtomicBoolean fromBrick = new AtomicBoolean();
    private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
    private final Queue<Socket> damaged = new ConcurrentLinkedQueue<>();
    private final SplittableRandom random;
    private final CompletableFuture<InetSocketAddress> target = new CompletableFuture<>();

    FlippingProxy(long seed) throws IOException {
        random = new SplittableRandom(seed);
        start(this::accept);
    }

    String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    /** Where it passes on to; until then connections wait. */
    void target(String brick) {
        int colon = brick.lastIndexOf(':');
        target.complete(new InetSocketAddress(brick.substring(0, colon), Integer.parseInt(brick.substring(colon + 1))));
    }

    /** One bit of what comes next to the brick, or from it, is flipped. */
    void flip(boolean isTowardsBrick) {
        (isTowardsBrick ? towardsBrick : fromBrick).set(true);
    }

    void flipNoMore() {
        towardsBrick.set(false);
        fromBrick.set(false);
    }

    /** Connections over which a flipped bit went. */
    int damaged() {
        return damaged.size();
    }

    /** Those of them that are still open at both ends. */
    List<Socket> damagedAndOpen() {
        List<Socket> still = new ArrayList<>(damaged);
        still.removeIf(Socket::isClosed);
        return still;
    }

    private void accept() {
        try {
            while (true) {
                Socket near = server.accept();
                Socket far = new Socket();
                far.connect(target.join());
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                open.add(near);
                open.add(far);
                start(() -> pump(near, far, near, towardsBrick));
                start(() -> pump(far, near, near, fromBrick));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void pump(Socket from, Socket to, Socket connection, AtomicBoolean flips) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int bytes = in.read(buffer); bytes > 0; bytes = in.read(buffer)) {
                if (flips.compareAndSet(true, false)) {
                    flipBit(buffer, bytes);
                    damaged.add(connection);
                }
                out.write(buffer, 0, bytes);
            }
        } catch (IOException e) {
            // closed by one of the ends
        }
    }

    private synchronized void flipBit(byte[] buffer, int bytes) {
        int bit = random.nextInt(bytes * Byte.SIZE);
        buffer[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
