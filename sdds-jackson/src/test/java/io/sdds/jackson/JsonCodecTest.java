package io.sdds.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import io.sdds.client.Codec;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonCodecTest {
    record Person(String name, int age, Map<String, Integer> visits) {}

    private static final Codec<Person> PEOPLE = JsonCodec.of(Person.class);

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Person person(String... towns) {
        Map<String, Integer> visits = new LinkedHashMap<>();
        for (String town : towns) {
            visits.put(town, town.length());
        }
        return new Person("Ada 😀", 36, visits);
    }

    @Test
    void valuesAreJsonInTheOrderOfNames() {
        byte[] bytes = PEOPLE.encode(person("Rome", "London"));
        assertThat(new String(bytes, StandardCharsets.UTF_8))
                .isEqualTo("{\"age\":36,\"name\":\"Ada 😀\",\"visits\":{\"London\":6,\"Rome\":4}}");
        assertThat(PEOPLE.decode(bytes)).isEqualTo(person("London", "Rome"));
        assertThat(PEOPLE.encode(person("London", "Rome"))).isEqualTo(bytes);
    }

    @Test
    void propertiesOfALaterClassAreIgnored() {
        Person read = PEOPLE.decode(utf8("{\"name\":\"Bob\",\"city\":{\"zip\":[1]}}"));
        assertThat(read).isEqualTo(new Person("Bob", 0, null));
    }

    @Test
    void mappersOfApplicationsAndTypesWithArgumentsAreUsed() {
        ObjectMapper mapper = new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE);
        Codec<List<Person>> codec = JsonCodec.of(mapper, new TypeReference<List<Person>>() {});
        byte[] bytes = codec.encode(List.of(person("Rome")));
        assertThat(new String(bytes, StandardCharsets.UTF_8)).startsWith("[{\"Name\":");
        assertThat(codec.decode(bytes)).containsExactly(person("Rome"));
        assertThatThrownBy(() -> JsonCodec.of(mapper, Person.class).decode(utf8("{\"other\":1}")))
                .isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void whatIsNoJsonOfTheClassIsRefused() {
        for (String text : new String[] {"", "{", "[]", "\0", "{\"age\":\"x\"}"}) {
            assertThatThrownBy(() -> PEOPLE.decode(utf8(text))).isInstanceOf(UncheckedIOException.class);
        }
        assertThatThrownBy(() -> PEOPLE.decode(utf8("null"))).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> PEOPLE.encode(null)).isInstanceOf(NullPointerException.class);
    }

    record Loop(List<Object> inner) {}

    @Test
    void whatJacksonCannotWriteIsRefused() {
        assertThatThrownBy(() -> JsonCodec.of(Loop.class).encode(new Loop(List.of(new Object()))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("no JSON of io.sdds.jackson.JsonCodecTest$Loop");
    }

    @Test
    void jsonHasNoOrder() {
        assertThat(PEOPLE.ordered()).isFalse();
    }
}
