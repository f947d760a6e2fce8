# the libraries are deployed with sources, javadoc and a bill of materials, and a project outside compiles and runs with coordinates alone
# shellcheck shell=bash disable=SC2154
has mvn || skip "mvn is not installed"
cd "$top"
quiet="-B -ntp -q -Dmaven.test.skip=true -Dspotless.check.skip=true -Dcheckstyle.skip=true"
# shellcheck disable=SC2086
mvn $quiet -Prelease -pl codec,core/snapshot,core/transport,clients/producer,subscriber,dist/bom -am "-DaltDeploymentRepository=staged::file://$work/staged" deploy
for library in codec snapshot transport producer subscriber; do
    for kind in '[0-9]' -sources -javadoc; do
        find "$work/staged/io/metricsaggregator/metrics-aggregator-$library/$version" -name "metrics-aggregator-$library-*$kind.jar" | grep . ||
            fail "no metrics-aggregator-$library-*$kind.jar"
    done
    grep -q Apache-2.0 "$work/staged/io/metricsaggregator/metrics-aggregator/$version/"*.pom
done

# The program of the documentation, in a project that has never seen this one. Its local repository is a copy, so that nothing of this
# test stays in the user's.
mkdir -p "$work/outside/src/main/java"
sed "s/@VERSION@/$version/" "$top/dist/outside/pom.xml" >"$work/outside/pom.xml"
sed "s#/tmp/bench#$work#" "$top/docs/examples/Load.java" >"$work/outside/src/main/java/Load.java"
grep -q EventPublisher "$work/outside/src/main/java/Load.java" || fail "docs/examples/Load.java publishes nothing"
cat >"$work/settings.xml" <<S
<settings><profiles><profile><id>staged</id><activation><activeByDefault>true</activeByDefault></activation><repositories><repository>
<id>staged</id><url>file://$work/staged</url><snapshots><enabled>true</enabled></snapshots></repository></repositories></profile></profiles></settings>
S
m2=${MAVEN_REPOSITORY:-$HOME/.m2/repository}
cp -a --reflink=auto "$m2" "$work/m2"
rm -rf "$work/m2/io/metricsaggregator"
mvn -f "$work/outside/pom.xml" -s "$work/settings.xml" -Dmaven.repo.local="$work/m2" -B -ntp -q process-classes
ls "$work/outside/target/lib"
if find "$work/outside/target/lib" -name '*.jar' -printf '%f\n' | grep -E 'picocli|logback|djl|sqlite|aggregator-(aggregator|cli|engine|report)|junit'; then fail "the libraries drag in the daemon"; fi
unpack "$work"
"$work/metrics-aggregator-$version/bin/metrics-aggregator" run --in "ipc://$work/events" --output-dir "$work/out" 2>"$work/log" &
daemon=$!
java -cp "$work/outside/target/classes:$work/outside/target/lib/*" Load
wait "$daemon"
"$work/metrics-aggregator-$version/bin/metrics-aggregator" report "$work/out" >"$work/report"
sed -n 1,20p "$work/report"
grep -q 'COMPLETE' "$work/report"
grep -A 1 '"name": "total_samples_completed"' "$work/out/final_snapshot.json" | grep 100 >/dev/null ||
    grep -q '"total_samples_completed", *"value": *100' "$work/out/final_snapshot.json" || fail "not 100 samples are in the result"
not_checked "the same project with Gradle (Debian's Gradle is too old for Java 17; the snippet in docs/install.md was not run)"
