package io.sdds.cli.connection;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sdds.client.UnavailableException;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.HelloFrame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandClientTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(4); // the first client of a process starts slowly

    @Test
    void namesBothBuildsWhenACoordinatorSpeaksAnotherProtocol() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> sayHelloOfAnotherVersion(server));
            List<String> addresses = List.of("127.0.0.1:" + server.getLocalPort());
            assertThatThrownBy(() -> new CommandClient(addresses, TIMEOUT).close())
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("client sdds of version")
                    .hasMessageContaining("coordinator c1 of version 9.1.0 build 12345678 speaks protocol 47");
        }
    }

    private static void sayHelloOfAnotherVersion(ServerSocket server) {
        ByteBuf frame = Unpooled.buffer();
        HelloFrame.write(frame, new Hello(47, 47, 0, Hello.Role.COORDINATOR, "c1", 0, 0, 0, "9.1.0 build 12345678"));
        byte[] hello = ByteBufUtil.getBytes(frame);
        try {
            while (true) {
                Socket socket = server.accept(); // the client closes the connection
                socket.getOutputStream().write(hello);
            }
        } catch (SocketException e) {
            // the test has closed the server
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
