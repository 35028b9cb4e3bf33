package io.sdds.sql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sdds.client.SddsClient;
import io.sdds.client.UnavailableException;
import io.sdds.sql.SddsDriver;
import io.sdds.sql.SqlCluster;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.calcite.runtime.Hook;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Connections of one driver share a client, and do not disturb each other. */
@Isolated("counts the threads of clients of the whole process")
class SharedClientsTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private static SqlCluster sql;

    private final SddsDriver driver = new SddsDriver();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        sql.update("CREATE TABLE cells (id INTEGER PRIMARY KEY, n INTEGER)");
        try (PreparedStatement insert = sql.connection.prepareStatement("INSERT INTO cells VALUES (?, ?)")) {
            for (int k = 0; k < 5_000; k++) {
                insert.setInt(1, k);
                insert.setInt(2, k % 10);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    @AfterAll
    static void stop() throws SQLException {
        sql.close();
    }

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    private Connection connect(String options) throws SQLException {
        return open(driver, "jdbc:sdds://" + sql.cluster.address() + options);
    }

    private static Connection open(SddsDriver driver, String url) throws SQLException {
        return Objects.requireNonNull(driver.connect(url, new Properties()));
    }

    private static SddsClient client(Connection connection) {
        return SqlCluster.session(connection).client();
    }

    private <T> List<Future<T>> atOnce(int count, Callable<T> task) {
        List<Future<T>> ends = new ArrayList<>();
        for (int k = 0; k < count; k++) {
            ends.add(threads.submit(task));
        }
        return ends;
    }

    // ---- one client

    @Test
    void connectionsOfOneUrlShareAClientAndOthersDoNot() throws SQLException {
        try (Connection one = connect("");
                Connection other = connect(";transactions=ignore");
                Connection withoutPushdown = connect(";pushdown=false");
                Connection ofAnotherDriver = open(new SddsDriver(), "jdbc:sdds://" + sql.cluster.address())) {
            assertThat(client(other)).isSameAs(client(one));
            assertThat(client(withoutPushdown)).isNotSameAs(client(one));
            assertThat(client(ofAnotherDriver)).isNotSameAs(client(one));
        }
    }

    @Test
    void connectionsThatAreOpenedAtOnceShareAClientThatEndsAfterTheLast() throws Exception {
        List<Connection> opened = new ArrayList<>();
        for (Future<Connection> connection : atOnce(50, () -> connect(""))) {
            opened.add(connection.get(30, TimeUnit.SECONDS));
        }
        SddsClient client = client(opened.get(0));
        assertThat(opened)
                .allSatisfy(connection -> assertThat(client(connection)).isSameAs(client));
        for (Connection connection : opened.subList(1, opened.size())) {
            connection.close();
            connection.close(); // counts once
        }
        assertThat(SqlCluster.rows(opened.get(0), "SELECT n FROM cells WHERE id = 7"))
                .containsExactly("7");
        opened.get(0).close();
        await().atMost(SOON).untilAsserted(() -> assertClosed(client));
    }

    private static void assertClosed(SddsClient client) {
        assertThatThrownBy(client::tables)
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("the client is closed");
    }

    private static long clientThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("sdds-client"))
                .count();
    }

    @Test
    void noThreadIsLeftAfterTheLastConnection() throws SQLException {
        long before = clientThreads();
        for (int k = 0; k < 20; k++) {
            SddsDriver other = new SddsDriver();
            open(other, "jdbc:sdds://" + sql.cluster.address()).close();
        }
        await().atMost(SOON).untilAsserted(() -> assertThat(clientThreads()).isLessThanOrEqualTo(before));
    }

    @Test
    void connectionsOneAfterAnotherShareAClient() throws SQLException {
        Connection first = connect("");
        SddsClient client = client(first);
        first.close();
        try (Connection second = connect("")) {
            assertThat(client(second)).isSameAs(client);
            assertThat(SqlCluster.rows(second, "SELECT n FROM cells WHERE id = 7"))
                    .containsExactly("7");
        }
    }

    // ---- clients that fail

    @Test
    void aConnectThatFailsHarmsNoLaterOne() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        String url = "jdbc:sdds://127.0.0.1:" + port;
        for (Future<Connection> failing : atOnce(8, () -> open(driver, url))) {
            assertThatThrownBy(() -> failing.get(30, TimeUnit.SECONDS))
                    .hasRootCauseInstanceOf(UnavailableException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("08001"));
        }
        try (ServerSocket relay = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
            threads.execute(() -> relay(relay));
            try (Connection later = open(driver, url)) {
                assertThat(SqlCluster.rows(later, "SELECT n FROM cells WHERE id = 7"))
                        .containsExactly("7");
            }
        }
    }

    /** Passes connections on to the cluster. */
    private void relay(ServerSocket server) {
        try {
            while (true) {
                Socket from = server.accept();
                String[] address = sql.cluster.address().split(":", 2);
                Socket to = new Socket(address[0], Integer.parseInt(address[1]));
                threads.execute(() -> copy(from, to));
                threads.execute(() -> copy(to, from));
            }
        } catch (IOException e) {
            // The test has ended.
        }
    }

    private static void copy(Socket from, Socket to) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException e) {
            // One side has closed its connection.
        }
    }

    @Test
    void aClientThatIsBrokenIsReplacedForLaterConnections() throws SQLException {
        try (Connection old = connect("")) {
            client(old).close();
            SqlCluster.session(old).schema().shared().forgetTables();
            try (Connection later = connect("")) {
                assertThat(client(later)).isNotSameAs(client(old));
                assertThat(SqlCluster.rows(later, "SELECT n FROM cells WHERE id = 7"))
                        .containsExactly("7");
            }
            try (Connection third = connect("")) {
                assertThat(SqlCluster.rows(third, "SELECT n FROM cells WHERE id = 7"))
                        .containsExactly("7");
            }
        }
    }

    @Test
    void anInterruptOfAThreadThatConnectsHarmsNoOther() throws Exception {
        List<Future<Connection>> others = atOnce(4, () -> connect(""));
        List<Future<Connection>> interrupted = atOnce(4, () -> {
            Thread.currentThread().interrupt();
            return connect("");
        });
        for (Future<Connection> other : others) {
            try (Connection connection = other.get(30, TimeUnit.SECONDS)) {
                assertThat(connection.isValid(5)).isTrue();
            }
        }
        for (Future<Connection> thread : interrupted) {
            try (Connection connection = thread.get(30, TimeUnit.SECONDS)) {
                assertThat(connection.isValid(5)).isTrue(); // it had not to wait
            } catch (java.util.concurrent.ExecutionException e) {
                assertThat(e.getCause())
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                cause -> assertThat(cause.getSQLState()).isEqualTo("57014"));
            }
        }
    }

    // ---- one connection does not disturb another

    @Test
    void closeEndsTheStatementsOfItsConnectionAlone() throws Exception {
        String endless = "SELECT COUNT(*) FROM cells a, cells b, cells c WHERE a.n + b.n + c.n < 0";
        try (Connection other = connect("");
                Statement statement = other.createStatement();
                ResultSet rows = statement.executeQuery("SELECT a.id FROM cells a WHERE a.n * 2 >= 0")) {
            assertThat(rows.next()).isTrue();
            Connection closed = connect("");
            AtomicInteger begun = new AtomicInteger();
            Future<List<String>> running = threads.submit(() -> {
                try (Statement query = closed.createStatement()) {
                    begun.incrementAndGet();
                    return SqlCluster.rows(query.executeQuery(endless));
                }
            });
            await().atMost(SOON).until(() -> begun.get() == 1);
            closed.close();
            assertThatThrownBy(() -> running.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(SQLException.class);
            int count = 1;
            while (rows.next()) {
                count++;
            }
            assertThat(count).isEqualTo(5_000);
        }
    }

    @Test
    void aResultThatWasHalfReadAsksForNothingAfterTheCloseOfItsConnection() throws SQLException {
        try (Connection other = connect("")) {
            Connection closed = connect("");
            Statement statement = closed.createStatement();
            statement.setFetchSize(10);
            ResultSet rows = statement.executeQuery("SELECT id, n FROM cells WHERE n * 2 >= 0");
            assertThat(rows.next()).isTrue();
            closed.close();
            assertThat(statement.isClosed()).isTrue();
            assertThat(rows.isClosed()).isTrue();
            long requests = client(other).statistics().requests();
            for (int k = 0; k < 20; k++) {
                assertThat(sql.rows("SELECT COUNT(*) FROM cells WHERE n * 2 >= 0"))
                        .containsExactly("5000");
            }
            assertThat(client(other).statistics().requests()).isEqualTo(requests);
        }
    }

    @Test
    void aClosedConnectionTakesNoStatement() throws SQLException {
        try (Connection other = connect("")) {
            Connection closed = connect("");
            Statement statement = closed.createStatement();
            PreparedStatement write = closed.prepareStatement("UPDATE cells SET n = n WHERE id = ?");
            PreparedStatement query = closed.prepareStatement("SELECT n FROM cells WHERE id = ?");
            write.setInt(1, 1);
            query.setInt(1, 1);
            closed.close();
            assertThatThrownBy(() -> statement.executeQuery("SELECT 1")).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> statement.execute("CREATE TABLE x (id BIGINT PRIMARY KEY)"))
                    .isInstanceOf(SQLException.class);
            assertThatThrownBy(write::executeUpdate).isInstanceOf(SQLException.class);
            assertThatThrownBy(query::executeQuery).isInstanceOf(SQLException.class);
            assertThatThrownBy(closed::createStatement).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> closed.prepareStatement("SELECT 1")).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> closed.getMetaData().getTables(null, null, "%", null))
                    .isInstanceOf(SQLException.class);
            assertThat(closed.isValid(1)).isFalse();
            assertThat(other.isValid(5)).isTrue();
        }
    }

    @Test
    void aTableThatOneConnectionMakesAndDropsIsSeenByOthersAtOnce() throws SQLException {
        try (Connection one = connect("");
                Connection other = connect("");
                Statement statement = one.createStatement()) {
            for (int k = 0; k < 20; k++) {
                String columns = k % 2 == 0 ? "(id BIGINT PRIMARY KEY)" : "(name VARCHAR PRIMARY KEY, x BIGINT)";
                statement.executeUpdate("CREATE TABLE made " + columns);
                assertThat(SqlCluster.rows(other, "SELECT * FROM made")).isEmpty();
                statement.executeUpdate("DROP TABLE made");
                assertThatThrownBy(() -> SqlCluster.rows(other, "SELECT * FROM made"))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("made");
            }
        }
    }

    @Test
    void aTextIsPlannedOnceForAllConnections() throws SQLException {
        String query = "SELECT n, COUNT(*) FROM cells WHERE id < 100 GROUP BY n ORDER BY n";
        AtomicInteger plans = new AtomicInteger();
        try (Hook.Closeable ignored = Hook.PARSE_TREE.addThread((Consumer<Object>) tree -> plans.incrementAndGet());
                Connection first = connect("")) {
            SqlCluster.rows(first, query);
            for (int k = 0; k < 10; k++) {
                try (Connection next = connect("")) {
                    assertThat(SqlCluster.rows(next, query)).hasSize(10);
                }
            }
            assertThat(plans).hasValue(1);
            SqlCluster.session(first).schema().shared().refresh();
            try (Connection next = connect("")) {
                assertThat(SqlCluster.rows(next, query)).hasSize(10);
            }
            assertThat(plans).hasValue(2);
        }
    }

    @Test
    void threadsThatShareAPlanGetTheirOwnRows() throws Exception {
        AtomicInteger numbers = new AtomicInteger();
        List<Future<Boolean>> ends = atOnce(8, () -> {
            int thread = numbers.getAndIncrement();
            for (int k = 0; k < 50; k++) {
                int id = thread * 100 + k;
                try (Connection connection = connect("");
                        PreparedStatement query = connection.prepareStatement(
                                "SELECT a.id + ?, b.n FROM cells a JOIN cells b ON a.id = b.id WHERE a.id = ?")) {
                    query.setInt(1, thread);
                    query.setInt(2, id);
                    assertThat(SqlCluster.rows(query.executeQuery())).containsExactly((id + thread) + ", " + id % 10);
                }
            }
            return true;
        });
        for (Future<Boolean> end : ends) {
            assertThat(end.get(60, TimeUnit.SECONDS)).isTrue();
        }
    }
}
