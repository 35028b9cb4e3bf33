package io.sdds.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.testkit.EmbeddedCluster;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.Statement;
import java.util.Properties;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/** The driver in one jar, which the profile jdbc-jar makes: it needs no other. */
class JdbcJarIT {
    private static final Path JAR = Path.of(System.getProperty("sdds.jdbc.jar", ""));

    @Test
    void theDriverIsFoundInTheJarAloneAndWorks() throws Exception {
        ClassLoader platform = ClassLoader.getPlatformClassLoader();
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2);
                URLClassLoader loader =
                        new URLClassLoader(new URL[] {JAR.toUri().toURL()}, platform)) {
            Driver driver = ServiceLoader.load(Driver.class, loader).stream()
                    .map(ServiceLoader.Provider::get)
                    .filter(found -> found.getClass().getName().equals("io.sdds.sql.SddsDriver"))
                    .findFirst()
                    .orElseThrow();
            assertThat(driver.getClass().getClassLoader()).isSameAs(loader);
            try (Connection connection = driver.connect("jdbc:sdds://" + cluster.address(), new Properties());
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE jar (id INTEGER PRIMARY KEY, name VARCHAR)");
                statement.execute("INSERT INTO jar VALUES (1, 'Ann'), (2, 'Bob')");
                assertThat(SqlCluster.rows(connection, "SELECT a.name FROM jar a JOIN jar b ON a.id = b.id - 1"))
                        .containsExactly("Ann");
            }
        }
    }
}
