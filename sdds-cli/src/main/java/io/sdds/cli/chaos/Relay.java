package io.sdds.cli.chaos;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.HelloFrame;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A proxy in front of a process of this machine, which can cut the process off from the processes that dial it. During
 * a partition the relay holds back bytes and ends of connections, as a network does that loses all packets for a time.
 * The relay accepts new connections and sends nothing on them.
 */
final class Relay implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final String SOMEBODY = "client";

    private final ServerSocket listening;
    private final int target;
    private final @Nullable String from;
    private final String to;
    private final NetworkPartition partition;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /**
     * Creates a relay, which listens at once.
     *
     * @param port port on which the relay listens
     * @param target port on which the process listens
     * @param from name of the dialing process; null if the relay takes the name from the hello
     * @param to name of the process behind the relay
     */
    Relay(int port, int target, @Nullable String from, String to, NetworkPartition partition) throws IOException {
        this.listening = new ServerSocket(port, 64, InetAddress.getLoopbackAddress());
        this.target = target;
        this.from = from;
        this.to = to;
        this.partition = partition;
        Thread.ofVirtual().name("relay-" + to).start(this::accept);
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket dialed = listening.accept();
                open.add(dialed);
                Thread.ofVirtual().start(() -> connect(dialed));
            } catch (IOException e) {
                return; // the relay was closed
            }
        }
    }

    private void connect(Socket dialed) {
        byte[] first = new byte[BUFFER_BYTES];
        try {
            int length = dialed.getInputStream().read(first);
            String dialer = from == null ? dialer(first, length) : from;
            if (length > 0 && partition.awaitConnectivity(dialer, to)) {
                Socket target = new Socket(InetAddress.getLoopbackAddress(), this.target);
                open.add(target);
                dialed.setTcpNoDelay(true);
                target.setTcpNoDelay(true);
                target.getOutputStream().write(first, 0, length);
                Thread.ofVirtual().start(() -> pump(target, dialed, dialer));
                pump(dialed, target, dialer);
                return;
            }
        } catch (IOException e) {
            // the target is down, so close the connection
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close(dialed);
    }

    /** Reads the name of the dialing brick or coordinator from the first frame. */
    private static String dialer(byte[] bytes, int length) {
        try {
            ByteBuf frame = Unpooled.wrappedBuffer(bytes, 0, length);
            Hello hello = HelloFrame.read(frame, 0, Math.min(length, frame.getIntLE(0)));
            return hello.role() == Hello.Role.CLIENT ? SOMEBODY : hello.name();
        } catch (RuntimeException e) {
            return SOMEBODY; // the process will refuse the frame
        }
    }

    private void pump(Socket source, Socket sink, String dialer) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            InputStream in = source.getInputStream();
            OutputStream out = sink.getOutputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (!partition.awaitConnectivity(dialer, to)) {
                    break;
                }
                out.write(buffer, 0, length);
            }
        } catch (IOException e) {
            // one end has closed the connection, so close the other end too
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            partition.awaitConnectivity(dialer, to);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close(source);
        close(sink);
    }

    private void close(Socket socket) {
        open.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            // the socket is not used any more
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            // the socket is not used any more
        }
        open.forEach(this::close);
    }
}
